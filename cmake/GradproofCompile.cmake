# Compiler settings of every target of the project, in one function.
if(PROJECT_IS_TOP_LEVEL)  # a project that contains this one decides these for itself
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
  endif()
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
endif()

# gradproof_compile(<target>): C++20, hidden symbols, no contraction of a*b+c (results must not
# depend on the instruction set), sanitizers and warnings as configured.
function(gradproof_compile target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(GRADPROOF_DEVELOPER)
    # At -O3 gcc 12 takes "text" + string for an overlapping copy (-Wrestrict).
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-restrict -Werror)
  endif()
  if(GRADPROOF_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${GRADPROOF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(GRADPROOF_SANITIZE MATCHES "address.*undefined")
      # Null pointers and objects that are too small end in AddressSanitizer as well; compiling takes a fifth less.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,object-size)
    endif()
    target_compile_definitions(${target} PRIVATE GRADPROOF_SANITIZED)
    target_link_options(${target} PUBLIC -fsanitize=${GRADPROOF_SANITIZE})
  endif()
endfunction()
