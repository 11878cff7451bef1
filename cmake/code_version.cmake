# cmake -DVERSION=0.1.0 -DROOT=... -DLIST=files.txt -DOUTPUT=code_version.cpp -P code_version.cmake
# The version with a fingerprint of the sources that decide a result: rows made by other code can
# then be told apart, also between releases.
file(STRINGS ${LIST} files)
set(sums "")
foreach(file IN LISTS files)
  file(SHA256 ${ROOT}/${file} sum)
  string(APPEND sums "${file} ${sum}\n")
endforeach()
string(SHA256 fingerprint "${sums}")
string(SUBSTRING ${fingerprint} 0 8 fingerprint)
file(WRITE ${OUTPUT}
"#include \"structhash/core/version.hpp\"\n"
"namespace structhash {\n"
"std::string_view code_version() {\n  return \"${VERSION}+${fingerprint}\";\n}\n"
"}  // namespace structhash\n")
