# The drop-in libraries: CANN's names and SONAMEs, in front of libgradproof. Each is a filter (DT_FILTER, -F of ld):
# the linker resolves a program's symbols in it, the dynamic loader takes them from libgradproof, which it loads
# along. So all names share one library, and a program that was linked with CANN finds them by their SONAMEs.
set(GRADPROOF_DROPIN ascendcl nnopbase opapi
  opapi_nn opapi_math opapi_cv                      # newer versions split libopapi
  aclnn_ops_infer aclnn_ops_train aclnn_math)       # so did older ones

set(stubs ${PROJECT_BINARY_DIR}/dropin/stubs.cpp)
add_custom_command(OUTPUT ${stubs}
  COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:gradproof> -DSTUBS=${stubs}
    -P ${CMAKE_CURRENT_LIST_DIR}/dropin_stubs.cmake
  DEPENDS gradproof ${CMAKE_CURRENT_LIST_DIR}/dropin_stubs.cmake VERBATIM)
add_library(dropin_stubs OBJECT ${stubs})
set_target_properties(dropin_stubs PROPERTIES POSITION_INDEPENDENT_CODE ON)

foreach(name ${GRADPROOF_DROPIN})
  add_library(dropin_${name} SHARED $<TARGET_OBJECTS:dropin_stubs>)
  set_target_properties(dropin_${name} PROPERTIES
    OUTPUT_NAME ${name} LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/dropin/lib64  # ASCEND_HOME_PATH of tests/clients
    BUILD_RPATH $<TARGET_FILE_DIR:gradproof> INSTALL_RPATH $ORIGIN)
  target_link_options(dropin_${name} PRIVATE -nostdlib
    -Wl,--filter,$<TARGET_SONAME_FILE_NAME:gradproof> -Wl,-z,relro,-z,now,-z,noexecstack)
endforeach()
