# SPDX-License-Identifier: Apache-2.0
# cpack in a build of the preset package: a .deb of all that is installed, for /usr. Included last.
include_guard(GLOBAL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME simt)
set(CPACK_PACKAGE_VENDOR "simt")
set(CPACK_PACKAGE_CONTACT "the authors of simt")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CUDA-style kernels in C++ on a CPU, and their data races")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_STRIP_FILES OFF)  # reports name lines, and archives keep their symbols
# Libraries that the programs need are asked of dpkg-shlibdeps, where there is one. Beside them what a .cu file is
# compiled with: the compiler that the installed description names (frontends/cuda/driver), and libraries to link.
find_program(SIMT_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(SIMT_SHLIBDEPS)
if(SIMT_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(simt_compiler_package "clang-${simt_clang_major}")
else()
  string(REGEX MATCH "^[0-9]+" simt_gcc_major "${CMAKE_CXX_COMPILER_VERSION}")
  set(simt_compiler_package "g++-${simt_gcc_major}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "${simt_compiler_package}, libboost-context-dev, libdw-dev, libtbb-dev, libfmt-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb")
include(CPack)
