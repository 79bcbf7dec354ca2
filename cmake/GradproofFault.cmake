# The library with one deliberate fault, as tests/faulty/faults/*.patch describe them, for those that
# build programs or libraries from it: only what the fault touches is compiled anew.

# gradproof_fault_sources(<name> <tree>): tells the caller in fault_sources what is to be compiled, with
# `tree` as the first include folder, where the patched files are written when it is built; in
# fault_rest the library's other objects.
function(gradproof_fault_sources name tree)
  set(faulty ${PROJECT_SOURCE_DIR}/tests/faulty)
  set(patch ${faulty}/faults/${name}.patch)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${patch})
  file(STRINGS ${patch} files REGEX "^[+][+][+] b/")
  list(TRANSFORM files REPLACE "^[+][+][+] b/" "")
  file(STRINGS ${patch} others REGEX "^Sources: ")
  string(REGEX MATCHALL "opt/[^ ]+" others "${others}")
  list(TRANSFORM files PREPEND ${tree}/ OUTPUT_VARIABLE patched)
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE originals)
  # A file that the patch changed before would still come first.
  file(GLOB_RECURSE stale ${tree}/opt/*)
  list(REMOVE_ITEM stale ${patched})
  if(stale)
    file(REMOVE ${stale})
  endif()
  add_custom_command(OUTPUT ${patched}
    COMMAND python3 -B ${faulty}/faults.py apply ${patch} ${PROJECT_SOURCE_DIR} ${tree}
    DEPENDS ${patch} ${originals} ${faulty}/faults.py ${faulty}/hunk.py
    COMMENT "Breaking ${files}: ${name}" VERBATIM)
  set(rest $<TARGET_OBJECTS:gradproof_objects>)
  foreach(source ${files} ${others})
    cmake_path(GET source FILENAME file)
    cmake_path(GET source PARENT_PATH where)
    string(REGEX REPLACE "^opt/" "" where ${where})
    string(REPLACE "." "[.]" file ${file})
    # CMake may put a ./ into the path.
    set(rest "$<FILTER:${rest},EXCLUDE,/${where}/([.]/)?${file}[.]o$>")
  endforeach()
  list(REMOVE_ITEM others ${files})
  list(TRANSFORM others PREPEND ${PROJECT_SOURCE_DIR}/)
  set(fault_sources ${patched} ${others} PARENT_SCOPE)
  set(fault_rest ${rest} PARENT_SCOPE)
endfunction()
