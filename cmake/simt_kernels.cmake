# SPDX-License-Identifier: Apache-2.0
# The two functions that projects call, in this tree and through find_package(simt).
#
#   simt_add_kernels(NAME SOURCES file...  [LIBRARIES target...] [INCLUDE dir...] [OPTIONS flag...] [DEFINITIONS def...]
#                    [VARIANTS sim|check|cuda ...] [PRECOMPILE header...] [OUTPUT_DIRECTORY dir])
#     One module a variant from one list of sources: libNAME.sim.so, libNAME.check.so and, where CUDA is on,
#     libNAME.cuda.so, to be opened by `simrun PROGRAM --module libNAME.sim.so`. Targets: NAME.sim, NAME.check,
#     NAME.cuda, and NAME for all of them.
#
#   simt_add_tests(NAME SOURCES file...  [the same options] [TIMEOUT seconds] [ARGUMENTS arg...] [WITHOUT_MAIN])
#     One executable a variant, each a CTest test of the same name with the variant as its label. The doctest main()
#     comes from this package unless WITHOUT_MAIN is said; NAME.cuda is skipped (exit code 77) where no device answers.
#
# OPTIONS are for the host compiler in sim and check and for nvcc in cuda; use $<COMPILE_LANGUAGE:CUDA> to tell them
# apart. LIBRARIES must not hold kernels: code of one variant must never be linked into another's.
#
# PRECOMPILE names headers as #include does, <simt/program.hpp>: read once a variant, not once a file, which halves the
# time of a module of many small files (nvcc reads them each time).
#
# SIMT_NATIVE, when true, compiles the sim variant for this machine's CPU (-march=native).
include_guard(GLOBAL)

set(SIMT_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")

set(_simt_one_value OUTPUT_DIRECTORY TIMEOUT)
set(_simt_lists SOURCES LIBRARIES INCLUDE OPTIONS DEFINITIONS VARIANTS PRECOMPILE ARGUMENTS)

function(simt_add_kernels name)
  cmake_parse_arguments(PARSE_ARGV 1 simt "" "${_simt_one_value}" "${_simt_lists}")
  _simt_check_arguments(simt_add_kernels)
  add_custom_target(${name} ALL)
  foreach(variant IN LISTS simt_VARIANTS)
    _simt_add_target(module ${variant})
    add_dependencies(${name} ${name}.${variant})
  endforeach()
endfunction()

function(simt_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 simt "WITHOUT_MAIN" "${_simt_one_value}" "${_simt_lists}")
  _simt_check_arguments(simt_add_tests)
  find_package(doctest QUIET)
  if(NOT doctest_FOUND)
    message(FATAL_ERROR "simt_add_tests needs doctest. On Debian and Ubuntu: sudo apt-get install doctest-dev")
  endif()
  if(NOT simt_TIMEOUT)
    set(simt_TIMEOUT 300)
  endif()
  add_custom_target(${name} ALL)
  foreach(variant IN LISTS simt_VARIANTS)
    _simt_add_target(tests ${variant})
    add_dependencies(${name} ${name}.${variant})
    add_test(NAME ${name}.${variant} COMMAND ${name}.${variant} ${simt_ARGUMENTS})
    set_tests_properties(${name}.${variant} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${simt_TIMEOUT} LABELS ${variant})
  endforeach()
endfunction()

# Makes sources absolute and settles the list of variants; a misspelt keyword ends here.
macro(_simt_check_arguments function)
  if(simt_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${name}): unknown arguments: ${simt_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT simt_SOURCES)
    message(FATAL_ERROR "${function}(${name}): no SOURCES")
  endif()
  set(_simt_available "")
  foreach(variant IN ITEMS sim check cuda)
    if(TARGET simt::${variant})
      set(_simt_built TRUE)  # of a build tree, ./simrun builds what it needs: perhaps not the cuda variant
      if(TARGET simt::simt_backend_${variant})
        get_target_property(_simt_imported simt::simt_backend_${variant} IMPORTED)
        if(_simt_imported)
          get_target_property(_simt_file simt::simt_backend_${variant} LOCATION)
          if(NOT EXISTS "${_simt_file}")
            set(_simt_built FALSE)
            message(STATUS "${name}: no ${variant} variant, for ${_simt_file} was not built")
          endif()
        endif()
      endif()
      if(_simt_built)
        list(APPEND _simt_available ${variant})
      endif()
    endif()
  endforeach()
  if(NOT simt_VARIANTS)
    set(simt_VARIANTS ${_simt_available})
  else()
    foreach(variant IN LISTS simt_VARIANTS)
      if(NOT variant MATCHES "^(sim|check|cuda)$")
        message(FATAL_ERROR "${function}(${name}): no variant \"${variant}\"; there are sim, check and cuda")
      endif()
    endforeach()
    set(_simt_wanted ${simt_VARIANTS})
    set(simt_VARIANTS "")
    foreach(variant IN LISTS _simt_available)  # a variant that this build does not have is left out
      if(variant IN_LIST _simt_wanted)
        list(APPEND simt_VARIANTS ${variant})
      endif()
    endforeach()
  endif()
  set(_simt_absolute "")
  foreach(source IN LISTS simt_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND _simt_absolute "${source}")
  endforeach()
  set(simt_SOURCES ${_simt_absolute})
  set(_simt_absolute "")
  foreach(directory IN LISTS simt_INCLUDE)
    get_filename_component(directory "${directory}" ABSOLUTE)
    list(APPEND _simt_absolute "${directory}")
  endforeach()
  set(simt_INCLUDE ${_simt_absolute})
endmacro()

# One target, kind "module" or "tests". That a .cpp is CUDA is a property of the source in a directory, and here the
# same source is C++ for the other variants: the cuda target is made in a directory scope of its own.
macro(_simt_add_target kind variant)
  set(simt_target ${name}.${variant})
  set(simt_kind ${kind})
  set(simt_variant ${variant})
  if("${variant}" STREQUAL "cuda")
    add_subdirectory("${SIMT_CMAKE_DIR}/cuda_variant" "${CMAKE_CURRENT_BINARY_DIR}/${name}.cuda.dir")
  else()
    _simt_make_target()
  endif()
endmacro()

function(_simt_make_target)
  if(simt_kind STREQUAL "module")
    add_library(${simt_target} MODULE ${simt_SOURCES})
    # Only simt_module is visible; it may come from a static library, where nothing else would ask for it.
    target_link_options(
      ${simt_target} PRIVATE "LINKER:--version-script=${SIMT_CMAKE_DIR}/module.map" LINKER:--require-defined=simt_module
      LINKER:-z,defs)
    set_target_properties(${simt_target} PROPERTIES PREFIX lib SUFFIX .so LINK_DEPENDS "${SIMT_CMAKE_DIR}/module.map")
    if(NOT simt_OUTPUT_DIRECTORY AND SIMT_MODULE_DIR)
      set(simt_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${SIMT_MODULE_DIR}")  # in this tree: where simrun looks
    endif()
    if(simt_OUTPUT_DIRECTORY)
      set_target_properties(${simt_target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${simt_OUTPUT_DIRECTORY}")
    endif()
  else()
    add_executable(${simt_target} ${simt_SOURCES})
    if(NOT simt_WITHOUT_MAIN)
      _simt_make_test_main()
      target_link_libraries(${simt_target} PRIVATE simt_test_main.${simt_variant})
    endif()
    if(simt_OUTPUT_DIRECTORY)
      set_target_properties(${simt_target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${simt_OUTPUT_DIRECTORY}")
    endif()
    target_link_libraries(${simt_target} PRIVATE doctest::doctest)
    target_compile_options(${simt_target} PRIVATE -UNDEBUG)
  endif()
  target_link_libraries(${simt_target} PRIVATE simt::${simt_variant} ${simt_LIBRARIES})
  target_include_directories(${simt_target} PRIVATE ${simt_INCLUDE})
  target_compile_definitions(${simt_target} PRIVATE ${simt_DEFINITIONS})
  if(SIMT_NATIVE AND simt_variant STREQUAL "sim")
    target_compile_options(${simt_target} PRIVATE -march=native)
  endif()
  if(SIMT_LOOPS_BUILT AND NOT simt_variant STREQUAL "cuda")
    simt_use_loops(${simt_target})
    set_property(SOURCE ${simt_SOURCES} APPEND PROPERTY OBJECT_DEPENDS "${SIMT_LOOPS_PLUGIN}")
  endif()
  if(simt_PRECOMPILE AND NOT simt_variant STREQUAL "cuda")
    target_precompile_headers(${simt_target} PRIVATE ${simt_PRECOMPILE})
  endif()
  if(SIMT_SANITIZE AND simt_variant STREQUAL "check")
    # g++ 12 gives false alarms on null pointers where both instrument the same code.
    target_compile_options(${simt_target} PRIVATE -fno-sanitize=${SIMT_SANITIZE})
  endif()
  target_compile_options(${simt_target} PRIVATE ${simt_OPTIONS})
endfunction()

# main() of the tests of one variant, compiled once for all of them; the detector has nothing to see in it.
function(_simt_make_test_main)
  set(target simt_test_main.${simt_variant})
  if(NOT TARGET ${target})
    add_library(${target} STATIC EXCLUDE_FROM_ALL "${SIMT_CMAKE_DIR}/test_main.cpp")
    target_link_libraries(${target} PRIVATE simt::${simt_variant} doctest::doctest)
    if(simt_variant STREQUAL "check")
      target_compile_options(${target} PRIVATE -fno-sanitize=thread)
    endif()
  endif()
endfunction()
