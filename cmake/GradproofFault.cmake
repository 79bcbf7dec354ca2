# The library with one deliberate fault, as tests/faulty/specs/*.cmake describe them, for those that
# build programs or libraries from it: only what the fault touches is compiled anew.

# gradproof_fault_sources(<spec> <tree>): tells the caller in fault_sources what is to be compiled, with
# `tree` as the first include folder, where the changed file is written when it is built; in
# fault_rest the library's other objects.
function(gradproof_fault_sources spec tree)
  set(SOURCES "")
  include(${spec})
  set(apply ${PROJECT_SOURCE_DIR}/tests/faulty/apply.cmake)
  cmake_path(GET spec STEM name)
  # A file that the spec named before would still come first.
  file(GLOB_RECURSE stale ${tree}/opt/*)
  list(REMOVE_ITEM stale ${tree}/${FILE})
  if(stale)
    file(REMOVE ${stale})
  endif()
  add_custom_command(OUTPUT ${tree}/${FILE}
    COMMAND ${CMAKE_COMMAND} -DSPEC=${spec} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DTREE=${tree} -P ${apply}
    DEPENDS ${spec} ${PROJECT_SOURCE_DIR}/${FILE} ${apply}
    COMMENT "Breaking ${FILE}: ${name}" VERBATIM)
  set(sources ${tree}/${FILE})
  set(rest $<TARGET_OBJECTS:gradproof_objects>)
  if(NOT SOURCES)
    set(SOURCES ${FILE})
  endif()
  foreach(source ${SOURCES})
    if(NOT source STREQUAL FILE)
      list(APPEND sources ${PROJECT_SOURCE_DIR}/${source})
    endif()
    cmake_path(GET source FILENAME file)
    cmake_path(GET source PARENT_PATH folder)
    string(REGEX REPLACE "^opt/" "" folder ${folder})
    string(REPLACE "." "[.]" file ${file})
    # CMake may put a ./ into the path.
    set(rest "$<FILTER:${rest},EXCLUDE,/${folder}/([.]/)?${file}[.]o$>")
  endforeach()
  set(fault_sources ${sources} PARENT_SCOPE)
  set(fault_rest ${rest} PARENT_SCOPE)
endfunction()
