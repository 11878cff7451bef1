# STRUCTHASH_SANITIZE=address,undefined or thread: instruments every target that is built.
if(STRUCTHASH_SANITIZE)
  add_compile_options(-fsanitize=${STRUCTHASH_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${STRUCTHASH_SANITIZE})
endif()
if(STRUCTHASH_COVERAGE)
  add_compile_options(--coverage -O1 -fprofile-update=prefer-atomic)  # many threads count; -O0 takes hours
  add_link_options(--coverage)
endif()
