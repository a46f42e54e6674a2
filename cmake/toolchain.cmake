# SPDX-License-Identifier: Apache-2.0
# How this tree is compiled: language, visibility, warnings, where results lie. Nothing here reaches a consumer.
include_guard(GLOBAL)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} is too old: g++ 12 or clang 14 is needed. "
                      "Choose another with -DCMAKE_CXX_COMPILER=g++-12")
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "clang ${CMAKE_CXX_COMPILER_VERSION} is too old: clang 14 or g++ 12 is needed.")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The build tree is laid out as the installed one, so that simrun finds its modules at ../lib/simt in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(SIMT_MODULE_DIR lib/simt)

if(SIMT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(SIMT_CCACHE_PROGRAM ccache)
  mark_as_advanced(SIMT_CCACHE_PROGRAM)
  if(SIMT_CCACHE_PROGRAM)
    # ccache takes precompiled headers only where it is told that their macros do not matter to it.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                    "${SIMT_CCACHE_PROGRAM}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${SIMT_CCACHE_PROGRAM}")
  endif()
endif()

include_directories("${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/backends/api")
# -g1: function names and lines, so that a crash is a line; variables would only cost time to build.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-g1>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>")  # false alarms on std::string (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  # Of -march=native on machines with AVX10, once a file.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-invalid-feature-combination>")
endif()
if(SIMT_WERROR)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()
if(SIMT_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SIMT_SANITIZE};-fno-sanitize-recover=all>")
  add_link_options("$<$<LINK_LANGUAGE:CXX>:-fsanitize=${SIMT_SANITIZE}>")
endif()

# Compiles a target's sources in few files, of `sources` each: most of a source's time goes into headers that its
# neighbours read too. Names in anonymous namespaces must differ within a folder.
function(simt_compile_together target sources)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${sources})
endfunction()

# Adds a folder that has a CMakeLists.txt of its own.
macro(simt_add_part folder)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    add_subdirectory("${PROJECT_SOURCE_DIR}/${folder}")
  endif()
endmacro()

# Symbols marked unique cannot be made local, which backends/sim does to the whole check runtime.
add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-gnu-unique>")

# What links relocatable objects (backends/sim/isolate.cmake). With clang CMake names ld.lld where it is installed, which
# does not know --force-group-allocation.
set(SIMT_RELOCATABLE_LINKER "${CMAKE_LINKER}")
if(SIMT_RELOCATABLE_LINKER MATCHES "lld")
  find_program(SIMT_BFD_LINKER NAMES ld.bfd ld REQUIRED)
  mark_as_advanced(SIMT_BFD_LINKER)
  set(SIMT_RELOCATABLE_LINKER "${SIMT_BFD_LINKER}")
endif()
