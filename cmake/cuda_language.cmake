# SPDX-License-Identifier: Apache-2.0
# Turns CUDA on as a language, for this tree and for consumers. Included at file scope, as enable_language asks.
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# CMake 3.25 knows no flag for C++20 of nvcc. It takes CMAKE_CXX_STANDARD and cxx_std_20 for CUDA too, and then either
# stops ("requires the language dialect CUDA20") or leaves -std out. These are the variables that later versions set.
if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
