# Most of the compile time goes into headers. The presets release, asan and tsan therefore compile many sources as one file
# (CMAKE_UNITY_BUILD), and the large headers of other libraries once (cmake/large_headers.hpp). Names in anonymous namespaces are
# unique within a folder of src.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 40)
if(CMAKE_UNITY_BUILD)
  # GCC collects its garbage every few megabytes by default, a tenth of the time of a large file.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=400000>)
  # ccache needs it to cache a source that uses a precompiled header.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

# structhash_fast_build(TARGET): no batch crosses a folder of src. What Highway compiles once per instruction set (.cc) stays apart.
function(structhash_fast_build target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE path)
    if(source MATCHES "\\.cpp$")
      string(REGEX REPLACE "/.*" "" folder "${path}")
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}")
    elseif(source MATCHES "\\.cc$")
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/large_headers.hpp)
endfunction()
