# Debian packages by CPack: libgradproof<major>, libgradproof-dev, gradproof-tools and python3-gradproof.
#   cmake --preset package && cmake --build --preset package && cpack --preset package
# The drop-in component is no package: CANN's layout has a root of its own, /usr is none.
if(NOT GRADPROOF_INSTALL OR NOT GRADPROOF_TOOLS)
  return()
endif()
set(runtime_package libgradproof${PROJECT_VERSION_MAJOR})
set(same_version "(= ${PROJECT_VERSION})")

set(CPACK_GENERATOR DEB)
set(GRADPROOF_CONTACT "gradproof maintainers <gradproof@packages.invalid>" CACHE STRING
  "Maintainer of the Debian packages; set your own before you redistribute them")
set(CPACK_PACKAGE_CONTACT ${GRADPROOF_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package below has a first line of its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL runtime dev tools python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${runtime_package})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "gradients of CANN's aclnn API on an ordinary CPU
Five backward operators of the aclnn API and their forwards, computed on the
processor, with the acl functions that programs need around them: devices,
streams, events, memory. Programs for CANN run with it where no NPU is.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libgradproof-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${runtime_package} ${same_version}, ${GRADPROOF_STATIC_DEBIAN}")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libgtest-dev, librapidcheck-dev")  # of gradproof::testing alone
set(CPACK_DEBIAN_DEV_DESCRIPTION "gradients of CANN's aclnn API on an ordinary CPU - development
Headers, the library as an archive, the reference that says what results are
right, random cases and comparison for GoogleTest and RapidCheck suites, and
files for CMake and pkg-config.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME gradproof-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${runtime_package} ${same_version}")  # loaded, not linked
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "judges implementations of aclnn gradient operators
The command gradproof generates calls over the whole contract of the
operators, performs them on a library, and compares with exact values and
error bounds.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gradproof)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9), python3-numpy, gradproof-tools (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-hypothesis, python3-torch")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "judges aclnn gradient operators written in Python
Makes a function over NumPy arrays or torch tensors a kernel that gradproof
verifies, and gives exact values, error bounds and checks to pytest and
Hypothesis.")

# What Debian wants beside the files: copyright and a changelog, in each package's own folder.
set(package_files ${PROJECT_BINARY_DIR}/cmake/debian)
string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
find_program(GZIP_PROGRAM gzip REQUIRED)
foreach(pair runtime=${runtime_package} dev=libgradproof-dev tools=gradproof-tools python=python3-gradproof)
  string(REGEX MATCH "^(.*)=(.*)$" pair ${pair})
  set(component ${CMAKE_MATCH_1})
  set(package ${CMAKE_MATCH_2})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${package_files}/${package}/changelog @ONLY)
  execute_process(COMMAND ${GZIP_PROGRAM} -9 -n -f ${package_files}/${package}/changelog
    COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${package_files}/${package}/changelog.gz ${CMAKE_CURRENT_LIST_DIR}/debian/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
