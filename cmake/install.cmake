# SPDX-License-Identifier: Apache-2.0
# The package simt: headers, libraries, variants and the CMake functions, installed and from the build tree.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(simt_headers include/simt-${PROJECT_VERSION})
set(simt_package lib/cmake/simt)

install(DIRECTORY backends/api/simt DESTINATION ${simt_headers} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(DIRECTORY sim DESTINATION ${simt_headers} FILES_MATCHING PATTERN "*.hpp" PATTERN "sim/compile" EXCLUDE)
install(DIRECTORY backends/sim backends/cuda DESTINATION ${simt_headers}/backends FILES_MATCHING PATTERN "*.hpp"
                                                                                                  PATTERN "*.cuh")

# Whatever of these the folders have defined. Include directories in them name this tree, and consumers get theirs
# from simt::api.
set(simt_exported simt_api simt_variant_host)
set(simt_variants "")
foreach(variant IN ITEMS sim check cuda)
  if(TARGET simt::${variant})
    list(APPEND simt_variants simt_variant_${variant})
  endif()
endforeach()
foreach(target IN LISTS simt_variants ITEMS simt_report simt_symbolize simt_engine simt_backend_sim simt_backend_check
                                            simt_backend_cuda)
  if(TARGET ${target})
    list(APPEND simt_exported ${target})
    if(NOT target MATCHES "simt_variant_")
      set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES "")
    endif()
  endif()
endforeach()
install(TARGETS ${simt_exported} EXPORT simt_targets ARCHIVE DESTINATION lib LIBRARY DESTINATION lib)
install(EXPORT simt_targets NAMESPACE simt:: DESTINATION ${simt_package})
export(EXPORT simt_targets NAMESPACE simt:: FILE "${PROJECT_BINARY_DIR}/simt_targets.cmake")

set(simt_simrun bin/simrun)
configure_package_config_file(cmake/simtConfig.cmake.in "${PROJECT_BINARY_DIR}/simtConfig.cmake"
                              INSTALL_DESTINATION ${simt_package} PATH_VARS simt_simrun NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/simtConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
set(simt_package_files cmake/simt_kernels.cmake cmake/simt_cuda_source.cmake cmake/cuda_language.cmake cmake/module.map
                       cmake/test_main.cpp cmake/FindLibdw.cmake)
install(FILES "${PROJECT_BINARY_DIR}/simtConfig.cmake" "${PROJECT_BINARY_DIR}/simtConfigVersion.cmake"
              ${simt_package_files} DESTINATION ${simt_package})
install(DIRECTORY cmake/cuda_variant DESTINATION ${simt_package})
# The same files beside the build tree's simtConfig.cmake: simt_DIR=build works as an installed copy does.
file(COPY ${simt_package_files} cmake/cuda_variant DESTINATION "${PROJECT_BINARY_DIR}")

# CUDA C++ source files: headers (some without a suffix), runtimes, and how to compile, told relative to where it lies.
if(TARGET simt_cuda_runtime_sim)
  install(DIRECTORY frontends/cuda/headers DESTINATION ${simt_headers}/frontends/cuda)
  install(TARGETS ${simt_cuda_runtimes} ARCHIVE DESTINATION lib)
  install(FILES "${PROJECT_BINARY_DIR}/cuda_tool_chain_installed.txt" DESTINATION ${SIMT_MODULE_DIR}
          RENAME cuda_tool_chain.txt)
endif()

if(TARGET simrun)
  install(TARGETS simrun RUNTIME DESTINATION bin)
endif()
foreach(variant IN ITEMS sim check cuda)
  if(TARGET kernels.${variant})
    install(TARGETS kernels.${variant} LIBRARY DESTINATION ${SIMT_MODULE_DIR})
  endif()
endforeach()
