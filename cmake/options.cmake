# SPDX-License-Identifier: Apache-2.0
# What a user may choose when configuring. Every option is listed here with its default and its cost.
include_guard(GLOBAL)
include(CheckLanguage)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

# sim and check variants: AUTO is ON where oneTBB, libdw and Boost.Context are found (cmake/dependencies.cmake).
set(SIMT_BUILD_SIM "AUTO" CACHE STRING "Build the simulator, variants sim and check: ON, OFF or AUTO")
set(SIMT_BUILD_CUDA "AUTO" CACHE STRING "Build the cuda variant: ON, OFF or AUTO (ON where nvcc is found)")
set_property(CACHE SIMT_BUILD_SIM SIMT_BUILD_CUDA PROPERTY STRINGS AUTO ON OFF)
set(SIMT_CUDA_ARCHITECTURES "90"
    CACHE STRING "GPU architectures of the cuda variant, as CMAKE_CUDA_ARCHITECTURES takes them")

option(SIMT_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(SIMT_BUILD_BENCH "Build the benchmarks (need Google Benchmark)" ${PROJECT_IS_TOP_LEVEL})
# Kernels run vectorised, so the width of this machine's vectors decides their speed. Code built with it runs on
# machines like this one only: turn it off to build a package. It reaches the sim variant of modules and tests made
# in this tree, never the engine's libraries and never a consumer of the installed package (who may set it too).
option(SIMT_NATIVE "Compile the sim variant for this machine's CPU (-march=native)" ON)
set(SIMT_LOOPS "AUTO"
    CACHE STRING "Make loops of kernels with barriers, by a plugin of clang 16 to 20: ON, OFF or AUTO (where it can be)")
set_property(CACHE SIMT_LOOPS PROPERTY STRINGS AUTO ON OFF)
option(SIMT_CCACHE "Use ccache where it is installed" ON)
option(SIMT_WERROR "Treat warnings in this tree as errors" OFF)
# Without address and thread: their run time and the check variant's own do not fit into one process.
set(SIMT_SANITIZE "" CACHE STRING "Sanitizers for all of this tree, as -fsanitize= takes them; tested: undefined")

if(SIMT_BUILD_CUDA STREQUAL "AUTO")
  if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES ${SIMT_CUDA_ARCHITECTURES})  # the probe below fails where nvcc's own default is gone
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(SIMT_BUILD_CUDA ON)
  else()
    set(SIMT_BUILD_CUDA OFF)
  endif()
endif()
