# CMAKE_UNITY_BUILD, on in the presets release, asan and tsan: several sources are compiled as one file, as most of the time goes
# into headers. Names in anonymous namespaces are therefore unique within a folder.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)

# structhash_unity_by_folder(TARGET): no batch crosses a folder. What Highway compiles once per instruction set (.cc) stays apart.
function(structhash_unity_by_folder target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH path)
    cmake_path(GET path FILENAME folder)
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    math(EXPR batch "${count_${folder}} / ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${folder}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
