# fit.cmake: names every spec whose text its source does not have exactly once. The build of the faulty libraries
# stops at the first such spec, after minutes; this test names all of them in seconds.
file(GLOB specs ${SOURCE_DIR}/tests/faulty/specs/*.cmake)
set(misfits "")
foreach(spec ${specs})
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DSPEC=${spec} -DSOURCE_DIR=${SOURCE_DIR} -DTREE=${TREE} -P ${SOURCE_DIR}/tests/faulty/apply.cmake
    RESULT_VARIABLE result ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    string(APPEND misfits "${error}")
  endif()
endforeach()
file(REMOVE_RECURSE ${TREE})
if(misfits OR NOT specs)
  message(FATAL_ERROR "Planted faults that no longer fit their sources:\n${misfits}")
endif()
