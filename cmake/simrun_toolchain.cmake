# SPDX-License-Identifier: Apache-2.0
# A toolchain file for other people's projects: CMake's language CUDA, compiled by simrun.
#
#   cmake -B build -DCMAKE_TOOLCHAIN_FILE=.../cmake/simrun_toolchain.cmake
#
# CMake knows no such compiler, so what it would ask of one is said here. It reads this file twice: as the toolchain, and as
# the override of CUDA's rules (the second time for what its own files set in between).
get_filename_component(_simt_place "${CMAKE_CURRENT_LIST_DIR}" ABSOLUTE)
if(NOT CMAKE_CUDA_COMPILER)
  # In the source tree the launcher, which builds the tool when it must; in an installed package lib/cmake/simt.
  foreach(_simt_file IN ITEMS "${_simt_place}/../simrun" "${_simt_place}/../../../bin/simrun")
    if(EXISTS "${_simt_file}" AND NOT IS_DIRECTORY "${_simt_file}" AND NOT CMAKE_CUDA_COMPILER)
      get_filename_component(CMAKE_CUDA_COMPILER "${_simt_file}" ABSOLUTE)
    endif()
  endforeach()
endif()
list(PREPEND CMAKE_MODULE_PATH "${_simt_place}/toolkit")
set(CMAKE_USER_MAKE_RULES_OVERRIDE_CUDA "${CMAKE_CURRENT_LIST_FILE}")

# No look at the compiler: it is known.
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_ID simrun)
set(CMAKE_CUDA_COMPILER_VERSION 13.0)
set(CMAKE_CUDA_STANDARD_DEFAULT 17)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_DEFAULT OFF)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT OFF)
set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "means nothing to simrun")

set(CMAKE_CUDA_COMPILE_FEATURES "")
foreach(_simt_standard IN ITEMS 03 11 14 17 20 23)
  set(CMAKE_CUDA${_simt_standard}_STANDARD_COMPILE_OPTION "-std=c++${_simt_standard}")
  set(CMAKE_CUDA${_simt_standard}_EXTENSION_COMPILE_OPTION "-std=c++${_simt_standard}")
  set(CMAKE_CUDA${_simt_standard}_COMPILE_FEATURES "cuda_std_${_simt_standard}")
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES "cuda_std_${_simt_standard}")
endforeach()

set(_CMAKE_CUDA_WHOLE_FLAG "-c")
set(_CMAKE_CUDA_RDC_FLAG "-rdc=true")
set(_CMAKE_CUDA_PTX_FLAG "-ptx")
set(CMAKE_DEPFILE_FLAGS_CUDA "-MD -MF <DEP_FILE>")
set(CMAKE_CUDA_DEPFILE_FORMAT gcc)
set(CMAKE_CUDA_COMPILE_OBJECT
    "<CMAKE_CUDA_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -x cu <CUDA_COMPILE_MODE> <SOURCE> -o <OBJECT>")
# Sources of the host that read CUDA's headers are simrun's to compile, too.
foreach(_simt_language IN ITEMS C CXX)
  if(NOT CMAKE_${_simt_language}_COMPILER_LAUNCHER)
    set(CMAKE_${_simt_language}_COMPILER_LAUNCHER bash "${_simt_place}/toolkit/compile_host.sh" "${CMAKE_CUDA_COMPILER}")
  endif()
endforeach()
# Programs with such objects are linked by simrun, whatever other languages they have.
set(CMAKE_CUDA_LINK_EXECUTABLE "<CMAKE_CUDA_COMPILER> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_CUDA_COMPILE_OPTIONS_PIC "-Xcompiler=-fPIC")
set(CMAKE_SHARED_LIBRARY_SONAME_CUDA_FLAG "-Wl,-soname,")
foreach(_simt_kind IN ITEMS LIBRARY MODULE)
  set(CMAKE_CUDA_CREATE_SHARED_${_simt_kind}
      "<CMAKE_CUDA_COMPILER> -shared <SONAME_FLAG><TARGET_SONAME> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
endforeach()
set(CMAKE_CUDA_LINKER_PREFERENCE 100)
set(CMAKE_CUDA_LINKER_PREFERENCE_PROPAGATES TRUE)
