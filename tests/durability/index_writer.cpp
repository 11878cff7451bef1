// Makes an index of a code file and saves it, for the tests to kill and to let fail: the command
// line has no command for it.
//   index_writer codes.shc index.shi
#include <cstdio>
#include <exception>
#include <new>

#include "structhash/core/error.hpp"
#include "structhash/search/code_index.hpp"

int main(int argc, char** argv) {
  try {
    if (argc != 3) {
      return 2;
    }
    auto index = structhash::CodeIndex::of_code_file(argv[1]);
    index.prepare(1);
    index.save(argv[2]);
    return 0;
  } catch (const structhash::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    std::fputs("error: not enough memory\n", stderr);
    return 5;
  }
}
