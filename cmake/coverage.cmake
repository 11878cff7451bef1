# STRUCTHASH_COVERAGE: gcov counts in the library, or in the part of it that STRUCTHASH_COVERAGE_OF names. Everything else, tests
# and command included, is compiled as in the release preset, which ccache has already.
set(STRUCTHASH_COVERAGE_OF "/src/" CACHE STRING "Regular expression of the sources that are measured")
get_target_property(measured structhash SOURCES)
list(FILTER measured INCLUDE REGEX "${STRUCTHASH_COVERAGE_OF}")
set_source_files_properties(${measured} TARGET_DIRECTORY structhash PROPERTIES  # many threads count; -O0 takes hours
  COMPILE_OPTIONS "--coverage;-O1;-fprofile-update=prefer-atomic")
target_link_options(structhash PUBLIC --coverage)
