# cmake -DINPUT=file -DOUTPUT=file.cpp -P embed.cmake: the bytes of the digits as a C++ source.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
       bytes "${bytes}")
file(WRITE ${OUTPUT}
"#include <span>\n"
"namespace structhash::cli {\n"
"std::span<const unsigned char> digits_csv_gz();\n"
"static const unsigned char kBytes[] = {\n${bytes}};\n"
"std::span<const unsigned char> digits_csv_gz() {\n  return kBytes;\n}\n"
"}  // namespace structhash::cli\n")
