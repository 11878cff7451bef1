# structhash_warnings: what every target of ours compiles with.
add_library(structhash_warnings INTERFACE)
target_compile_options(structhash_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
  -Wno-missing-field-initializers  # fields left out of {.a = 1} take their default initialisers
  $<$<BOOL:${STRUCTHASH_WERROR}>:-Werror>)
