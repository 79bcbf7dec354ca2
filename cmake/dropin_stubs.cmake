# Writes the source of the drop-in libraries, STUBS: a function of each name that LIBRARY exports. None is ever
# called where the dynamic loader knows filters (glibc from 2.32 on); elsewhere the program stops at once.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T [A-Za-z0-9_]+" functions "${symbols}")
if(NOT functions)
  message(FATAL_ERROR "${LIBRARY} exports no functions")
endif()
set(text "#define STUB(name) extern \"C\" void name() { __builtin_trap(); }\n")
foreach(function ${functions})
  string(REPLACE " T " "" function ${function})
  string(APPEND text "STUB(${function})\n")
endforeach()
file(CONFIGURE OUTPUT ${STUBS} CONTENT "${text}" @ONLY)  # left alone where nothing has changed
