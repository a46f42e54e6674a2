# SPDX-License-Identifier: Apache-2.0
# Toolchain file for scripts/aarch64.sh: g++ for aarch64 with the libraries that scripts/aarch64_root.sh has unpacked
# into SIMT_AARCH64_ROOT; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SIMT_AARCH64_ROOT)
set(CMAKE_FIND_ROOT_PATH "${SIMT_AARCH64_ROOT}")
foreach(what IN ITEMS LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${SIMT_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu,-rpath-link,${SIMT_AARCH64_ROOT}/lib/aarch64-linux-gnu")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${CMAKE_EXE_LINKER_FLAGS_INIT}")
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;${SIMT_AARCH64_ROOT}")
