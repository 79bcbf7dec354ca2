# Toolchain: Debian's cross compiler for aarch64, and qemu-user to run what it makes. The packages that
# the project stands on are found in GRADPROOF_SYSROOT, where tests/aarch64/sysroot.sh unpacks them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)  # some packages ask for a C compiler when they are found
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# libc and libstdc++ come with the compiler; GRADPROOF_SYSROOT has everything else, and nothing of this
# machine is looked at.
set(GRADPROOF_SYSROOT "" CACHE PATH "Folder of unpacked arm64 packages")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GRADPROOF_SYSROOT)
set(CMAKE_FIND_ROOT_PATH ${GRADPROOF_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Which processor is emulated is QEMU_CPU's to say, so that one build is tested as several.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
