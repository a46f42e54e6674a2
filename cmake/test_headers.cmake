# SPDX-License-Identifier: Apache-2.0
# What nearly all tests of kernels include is read once a variant instead of once a file: two to three seconds of each.
# This tree alone asks for it, with SIMT_TEST_HEADERS, the headers as #include names them.

# simt_use_test_headers(TARGET VARIANT SOURCES): sources that have options or definitions of their own, or doctest's main(), read
# their headers themselves.
function(simt_use_test_headers target variant sources)
  set(holder simt_test_headers.${variant})
  if(NOT TARGET ${holder})
    set(empty "${CMAKE_CURRENT_BINARY_DIR}/${holder}.cpp")
    file(CONFIGURE OUTPUT "${empty}" CONTENT "" @ONLY)
    add_library(${holder} OBJECT EXCLUDE_FROM_ALL "${empty}")
    set_target_properties(${holder} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # but as executables are:
    target_compile_options(${holder} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
    target_link_libraries(${holder} PRIVATE simt::${variant} doctest::doctest)
    target_compile_options(${holder} PRIVATE -UNDEBUG)
    _simt_compile_as(${holder} ${variant})
    target_precompile_headers(${holder} PRIVATE ${SIMT_TEST_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${holder})
  foreach(source IN LISTS sources)
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    if(options)
      set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
