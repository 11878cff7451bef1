# Installs into a fresh folder, builds the consumer against it, runs the consumer and the command.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status WORKING_DIRECTORY ${WORK_DIR})
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " text)
    message(FATAL_ERROR "failed (${status}): ${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/consumer -G Ninja
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/consumer)
run(${WORK_DIR}/consumer/consumer)
run(${WORK_DIR}/prefix/bin/structhash --version)
run(${WORK_DIR}/prefix/bin/structhash demo)
