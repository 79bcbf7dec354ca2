# What `cmake --install` lays out, in components: `runtime` the shared library, `dev` what it takes to
# build against it, `tools` the command line, `python` the module, `dropin` CANN's layout, complete in itself.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What the archive asks of the programs that link it: packages of CMake, libraries, packages of Debian. (pkg-config
# would ask for private packages even where only the headers are wanted.)
set(GRADPROOF_STATIC_DEPENDENCIES TBB hwy)
set(GRADPROOF_STATIC_LIBS "-ltbb -Wl,--push-state,--as-needed -lhwy -Wl,--pop-state -Wl,-z,nodelete")
set(GRADPROOF_STATIC_DEBIAN "libtbb-dev, libhwy-dev")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gradproof)

# ---- runtime and dev ----
foreach(component dev dropin)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT ${component} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endforeach()
target_include_directories(gradproof_headers INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/aclnn>)
set_target_properties(gradproof_headers PROPERTIES EXPORT_NAME headers)

install(TARGETS gradproof gradproof_headers gradproof_subject EXPORT gradproofTargets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(TARGETS gradproof_static EXPORT gradproofStaticTargets ARCHIVE COMPONENT dev)
install(TARGETS gradproof_ref EXPORT gradproofRefTargets ARCHIVE COMPONENT dev
  FILE_SET HEADERS COMPONENT dev DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gradproof)

set(exports gradproof gradproofStatic gradproofRef)
if(GRADPROOF_TOOLS)
  install(TARGETS gradproof_testing EXPORT gradproofTestingTargets ARCHIVE COMPONENT dev)
  list(APPEND exports gradproofTesting)
endif()

foreach(export ${exports})
  install(EXPORT ${export}Targets NAMESPACE gradproof:: DESTINATION ${package_dir} COMPONENT dev)
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gradproofConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/gradproofConfig.cmake INSTALL_DESTINATION ${package_dir})
# Below 1.0 a minor version may break programs (docs/versions.md).
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/gradproofConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/gradproofConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/gradproofConfigVersion.cmake DESTINATION ${package_dir} COMPONENT dev)

# The way from the .pc file to the prefix, so that the tree may be moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up ${up})
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(packages gradproof gradproof-subject gradproof-ref)
if(GRADPROOF_TOOLS)
  list(APPEND packages gradproof-testing)
endif()
foreach(package ${packages})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${PROJECT_BINARY_DIR}/cmake/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

# ---- tools ----
if(GRADPROOF_TOOLS)
  install(TARGETS gradproof_cli COMPONENT tools)  # it finds the libraries from its own place in the tree
  install(TARGETS gradproof_pipe gradproof_tasks LIBRARY COMPONENT tools DESTINATION ${CMAKE_INSTALL_LIBDIR}/gradproof)
  # The pages that messages and help name (docs/….md), with their links to each other.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/gradproof COMPONENT tools
    FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json" PATTERN bench EXCLUDE PATTERN site EXCLUDE)
  install(FILES README.md README.zh.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/gradproof COMPONENT tools)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/gradproof/examples
    COMPONENT tools)
  # What the pages on CI and clusters tell users to copy or to start.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ci DESTINATION ${CMAKE_INSTALL_DATADIR}/gradproof COMPONENT tools
    USE_SOURCE_PERMISSIONS)
endif()

# ---- python ----
# Where Debian's python3 looks for modules of packages; elsewhere it is named by PYTHONPATH.
set(GRADPROOF_PYTHON_DIR lib/python3/dist-packages)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/gradproof DESTINATION ${GRADPROOF_PYTHON_DIR} COMPONENT python
  FILES_MATCHING PATTERN "*.py")
if(TARGET gradproof_manual)
  set(manual_dir ${PROJECT_BINARY_DIR}/manual)
  # Where Debian's zsh looks for completions of packages, and where everybody else's does.
  set(zsh_dir zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
    set(zsh_dir zsh/vendor-completions)
  endif()
  install(FILES ${manual_dir}/gradproof.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
  install(FILES ${manual_dir}/bash/gradproof COMPONENT tools
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual_dir}/zsh/_gradproof COMPONENT tools
    DESTINATION ${CMAKE_INSTALL_DATADIR}/${zsh_dir})
  install(FILES ${manual_dir}/fish/gradproof.fish COMPONENT tools
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# ---- dropin ----
# Libraries by CANN's names in lib64 (GradproofDropin.cmake). The library behind them is beside them, by its SONAME,
# so that each finds it wherever it is loaded from, and LD_LIBRARY_PATH=<prefix>/lib64 alone is enough to run.
include(GradproofDropin)
list(TRANSFORM GRADPROOF_DROPIN PREPEND dropin_ OUTPUT_VARIABLE dropin)
install(TARGETS ${dropin} LIBRARY DESTINATION lib64 COMPONENT dropin)
install(TARGETS gradproof LIBRARY COMPONENT dropin NAMELINK_SKIP)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(lib64_to_lib ${CMAKE_INSTALL_LIBDIR})
else()
  file(RELATIVE_PATH lib64_to_lib /lib64 /${CMAKE_INSTALL_LIBDIR})
endif()
set(link_dir ${PROJECT_BINARY_DIR}/cmake/links)
file(MAKE_DIRECTORY ${link_dir})
if(NOT CMAKE_INSTALL_LIBDIR STREQUAL "lib64")
  set(soname libgradproof.so.${PROJECT_VERSION_MAJOR})
  file(CREATE_LINK ${lib64_to_lib}/${soname} ${link_dir}/${soname} SYMBOLIC)
  install(FILES ${link_dir}/${soname} DESTINATION lib64 COMPONENT dropin)
endif()
# Folders by processor that programs look in. Some have one of the two names fixed, whatever the machine is.
foreach(folder lib64 include)
  file(CREATE_LINK ../${folder} ${link_dir}/${folder} SYMBOLIC)
  foreach(processor x86_64-linux aarch64-linux)
    install(FILES ${link_dir}/${folder} DESTINATION ${processor} COMPONENT dropin)
  endforeach()
endforeach()
install(FILES ${CMAKE_CURRENT_LIST_DIR}/set_env.sh DESTINATION . COMPONENT dropin)
