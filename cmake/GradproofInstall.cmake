# What `cmake --install` lays out: headers, library, command line, CMake package, and CANN's names.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
target_include_directories(gradproof_headers INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/aclnn>)
set_target_properties(gradproof_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS gradproof gradproof_headers EXPORT gradproofTargets)

install(TARGETS gradproof_cli)  # it loads the library at run time, from its place in the tree

# find_package(gradproof): no dependency to find, since the shared library brings its own.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gradproof)
install(EXPORT gradproofTargets NAMESPACE gradproof:: FILE gradproofTargets.cmake
  DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gradproofConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/gradproofConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/gradproofConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/gradproofConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/gradproofConfigVersion.cmake DESTINATION ${package_dir})

# CANN's layout: programs written after its guide link these six files by path. All are our one
# library; its soname stands beside them, so LD_LIBRARY_PATH=<prefix>/lib64 alone is enough to run.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(lib64_to_lib ${CMAKE_INSTALL_LIBDIR})
else()
  file(RELATIVE_PATH lib64_to_lib /lib64 /${CMAKE_INSTALL_LIBDIR})
endif()
set(soname libgradproof.so.${PROJECT_VERSION_MAJOR})
set(link_dir ${PROJECT_BINARY_DIR}/cmake/lib64)
file(MAKE_DIRECTORY ${link_dir})
set(links)
if(NOT CMAKE_INSTALL_LIBDIR STREQUAL "lib64")
  file(CREATE_LINK ${lib64_to_lib}/${soname} ${link_dir}/${soname} SYMBOLIC)
  list(APPEND links ${link_dir}/${soname})
endif()
foreach(library ascendcl nnopbase opapi opapi_nn opapi_math opapi_cv)
  file(CREATE_LINK ${soname} ${link_dir}/lib${library}.so SYMBOLIC)
  list(APPEND links ${link_dir}/lib${library}.so)
endforeach()
install(FILES ${links} DESTINATION lib64)
