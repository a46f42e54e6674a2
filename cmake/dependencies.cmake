# SPDX-License-Identifier: Apache-2.0
# Every library that this tree uses, found once for all folders. The Debian packages are in scripts/packages.txt.
include_guard(GLOBAL)

set(CMAKE_THREAD_PREFER_PTHREAD ON)
find_package(Threads REQUIRED)

# find_package(REQUIRED) with advice: which Debian package brings it.
macro(simt_require package debian_package)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found. On Debian and Ubuntu: sudo apt-get install ${debian_package}")
  endif()
endmacro()

simt_require(fmt libfmt-dev)
simt_require(nlohmann_json nlohmann-json3-dev)
simt_require(CLI11 libcli11-dev)
simt_require(tomlplusplus libtomlplusplus-dev)
if(SIMT_BUILD_TESTS)
  simt_require(doctest doctest-dev)
endif()

if(SIMT_BUILD_SIM STREQUAL "AUTO")
  find_package(TBB QUIET)
  find_package(Libdw QUIET)
  find_package(Boost QUIET COMPONENTS context)  # fibers; and of its headers Process, Asio, Uuid
  if(TBB_FOUND AND Libdw_FOUND AND Boost_FOUND)
    set(SIMT_BUILD_SIM ON)
  else()
    set(SIMT_BUILD_SIM OFF)
    message(WARNING "No simulator in this build: oneTBB, libdw and Boost.Context are needed, and not all were found. "
                    "On Debian and Ubuntu: sudo apt-get install libtbb-dev libdw-dev libboost-context-dev")
  endif()
elseif(SIMT_BUILD_SIM)
  simt_require(TBB libtbb-dev)
  simt_require(Libdw libdw-dev)
  simt_require(Boost libboost-context-dev COMPONENTS context)
endif()

if(SIMT_BUILD_CUDA)
  set(CMAKE_CUDA_ARCHITECTURES ${SIMT_CUDA_ARCHITECTURES})
  include(cmake/cuda_language.cmake)
endif()
if(NOT SIMT_BUILD_SIM AND NOT SIMT_BUILD_CUDA)
  message(FATAL_ERROR "Nothing to build: neither the simulator (see the warning above, or SIMT_BUILD_SIM=OFF) nor the "
                      "cuda variant (no nvcc found, or SIMT_BUILD_CUDA=OFF).")
endif()

if(SIMT_BUILD_BENCH AND NOT SIMT_BUILD_SIM)
  set(SIMT_BUILD_BENCH OFF)
elseif(SIMT_BUILD_BENCH)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    set(SIMT_BUILD_BENCH OFF)
    message(STATUS "No benchmarks: Google Benchmark was not found (Debian, Ubuntu: libbenchmark-dev)")
  endif()
endif()

message(STATUS "simt ${PROJECT_VERSION}: simulator ${SIMT_BUILD_SIM}, cuda ${SIMT_BUILD_CUDA}, "
               "tests ${SIMT_BUILD_TESTS}, benchmarks ${SIMT_BUILD_BENCH}")
