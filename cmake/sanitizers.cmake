# STRUCTHASH_SANITIZE=address,undefined or thread: instruments every target that is built.
if(STRUCTHASH_SANITIZE)
  add_compile_options(-fsanitize=${STRUCTHASH_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${STRUCTHASH_SANITIZE})
  if(STRUCTHASH_SANITIZE MATCHES "address.*undefined")  # the address sanitizer finds both, too
    add_compile_options(-fno-sanitize=null,object-size)
  endif()
endif()
