# SPDX-License-Identifier: Apache-2.0
# find_package(CUDAToolkit) where simrun compiles the language CUDA (../simrun_toolchain.cmake): its libraries are the
# simulator itself, so each target is only the word that simrun takes for it.
set(CUDAToolkit_FOUND TRUE)
set(CUDAToolkit_VERSION 13.0.0)
set(CUDAToolkit_VERSION_MAJOR 13)
set(CUDAToolkit_VERSION_MINOR 0)
set(CUDAToolkit_VERSION_PATCH 0)
set(CUDAToolkit_NVCC_EXECUTABLE "${CMAKE_CUDA_COMPILER}")
set(CUDAToolkit_INCLUDE_DIRS "")
set(CUDAToolkit_LIBRARY_DIR "")

# simt_cuda_library(NAME [LIBRARY]): CUDA::NAME, with the word -lLIBRARY where simrun has such a library. An archive without
# members stands for it, for only a file has a language: what is linked with it is linked by simrun.
function(simt_cuda_library name)
  if(TARGET CUDA::${name})
    return()
  endif()
  set(archive "${CMAKE_BINARY_DIR}/CMakeFiles/simrun/lib${name}.a")
  file(WRITE "${archive}" "!<arch>\n")
  add_library(CUDA::${name} STATIC IMPORTED)
  set_target_properties(CUDA::${name} PROPERTIES IMPORTED_LOCATION "${archive}" IMPORTED_LINK_INTERFACE_LANGUAGES CUDA)
  foreach(library IN LISTS ARGN)
    set_target_properties(CUDA::${name} PROPERTIES INTERFACE_LINK_LIBRARIES "-l${library}")
  endforeach()
endfunction()

foreach(_simt_library IN ITEMS cudart cublas cublasLt cufft cufftw curand cusparse cusolver nvrtc nvJitLink)
  simt_cuda_library(${_simt_library} ${_simt_library})
  simt_cuda_library(${_simt_library}_static ${_simt_library})
endforeach()
simt_cuda_library(cuda_driver cuda)
simt_cuda_library(nvml nvidia-ml)
simt_cuda_library(nvToolsExt nvToolsExt)
foreach(_simt_library IN ITEMS nvtx3 culibos toolkit)
  simt_cuda_library(${_simt_library})
endforeach()
