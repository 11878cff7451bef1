# code_version() of core/version.hpp, made anew whenever a deciding source changes.
# What decides a result: every source but those of search, the report and the command.
set(folders core data features relevance ranking codes hashing learner baselines evaluation)
set(patterns "")
foreach(folder IN LISTS folders)
  foreach(kind cpp hpp cc h)
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/src/${folder}/*.${kind}
                         ${PROJECT_SOURCE_DIR}/include/structhash/${folder}/*.${kind})
  endforeach()
endforeach()
file(GLOB_RECURSE deciding RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
list(SORT deciding)
string(REPLACE ";" "\n" lines "${deciding}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/deciding_sources.txt CONTENT "${lines}\n" @ONLY)
list(TRANSFORM deciding PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE deciding_paths)
set(code_version ${PROJECT_BINARY_DIR}/code_version.cpp)
add_custom_command(OUTPUT ${code_version}
  COMMAND ${CMAKE_COMMAND} -DVERSION=${PROJECT_VERSION} -DROOT=${PROJECT_SOURCE_DIR}
          -DLIST=${PROJECT_BINARY_DIR}/deciding_sources.txt -DOUTPUT=${code_version}
          -P ${PROJECT_SOURCE_DIR}/cmake/code_version.cmake
  DEPENDS ${deciding_paths} ${PROJECT_SOURCE_DIR}/cmake/code_version.cmake
          ${PROJECT_BINARY_DIR}/deciding_sources.txt
  COMMENT "Fingerprint of the sources" VERBATIM)
target_sources(structhash PRIVATE ${code_version})
