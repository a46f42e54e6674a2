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
# from simt::api. The cuda variant is an export of its own: ./simrun does not build it, and a copy without it is whole.
set(simt_exported simt_api simt_variant_host)
set(simt_cuda_exported "")
foreach(variant IN ITEMS sim check)
  if(TARGET simt::${variant})
    list(APPEND simt_exported simt_variant_${variant})
  endif()
endforeach()
set(simt_archives "")
foreach(target IN ITEMS simt_report simt_report_files simt_symbolize simt_engine simt_backend_sim simt_backend_check)
  if(TARGET ${target})
    list(APPEND simt_archives ${target})
  endif()
endforeach()
list(APPEND simt_exported ${simt_archives})
if(TARGET simt_backend_cuda)
  set(simt_cuda_exported simt_variant_cuda simt_backend_cuda)
endif()
foreach(target IN LISTS simt_archives simt_cuda_exported)
  if(NOT target MATCHES "simt_variant_")
    set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES "")
  endif()
endforeach()

# `cmake --install build` after ./simrun, which builds only what a command needs: first builds what is missing, all but
# the cuda variant, which takes nvcc minutes and is left out where nobody built it.
set(simt_installed_files "")
set(simt_installed_targets "")
foreach(target IN LISTS simt_archives simt_cuda_runtimes ITEMS simrun kernels.sim kernels.check)
  if(TARGET ${target})
    list(APPEND simt_installed_targets ${target})
    list(APPEND simt_installed_files "$<TARGET_FILE:${target}>")
  endif()
endforeach()
install(
  CODE "
foreach(file IN ITEMS ${simt_installed_files})
  if(NOT EXISTS \"\${file}\")
    message(STATUS \"Building what is missing: \${file} and the like\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --config $<CONFIG>
                            --target ${simt_installed_targets} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR \"what is to be installed cannot be built\")
    endif()
    break()
  endif()
endforeach()")
if(TARGET simt_backend_cuda)
  install(CODE "
if(NOT EXISTS \"$<TARGET_FILE:simt_backend_cuda>\")
  message(STATUS \"The cuda variant was not built and is left out. To have it: cmake --build ${PROJECT_BINARY_DIR}\")
endif()")
endif()

install(TARGETS ${simt_exported} EXPORT simt_targets ARCHIVE DESTINATION lib LIBRARY DESTINATION lib)
install(EXPORT simt_targets NAMESPACE simt:: DESTINATION ${simt_package})
export(EXPORT simt_targets NAMESPACE simt:: FILE "${PROJECT_BINARY_DIR}/simt_targets.cmake")
if(simt_cuda_exported)
  install(TARGETS ${simt_cuda_exported} EXPORT simt_cuda_targets ARCHIVE DESTINATION lib OPTIONAL)
  install(EXPORT simt_cuda_targets NAMESPACE simt:: DESTINATION ${simt_package})
  export(EXPORT simt_cuda_targets NAMESPACE simt:: FILE "${PROJECT_BINARY_DIR}/simt_cuda_targets.cmake")
endif()

# One for the installed copy and one for the build tree: paths in them are relative to where the file lies.
set(simt_simrun bin/simrun)
set(simt_cuda_archive lib/libsimt_backend_cuda.a)
set(simt_loops_plugin "${SIMT_MODULE_DIR}/simt_loops.so")
set(simt_installed_config "${PROJECT_BINARY_DIR}/installed/simtConfig.cmake")
configure_package_config_file(cmake/simtConfig.cmake.in "${simt_installed_config}" INSTALL_DESTINATION ${simt_package}
                              PATH_VARS simt_simrun simt_cuda_archive simt_loops_plugin NO_SET_AND_CHECK_MACRO)
configure_package_config_file(
  cmake/simtConfig.cmake.in "${PROJECT_BINARY_DIR}/simtConfig.cmake" INSTALL_DESTINATION "${PROJECT_BINARY_DIR}"
  INSTALL_PREFIX "${PROJECT_BINARY_DIR}" PATH_VARS simt_simrun simt_cuda_archive simt_loops_plugin NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/simtConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
set(simt_package_files cmake/simt_kernels.cmake cmake/simt_cuda_source.cmake cmake/cuda_language.cmake cmake/module.map
                       cmake/simrun_toolchain.cmake cmake/test_main.cpp cmake/together.cmake)
install(FILES "${simt_installed_config}" "${PROJECT_BINARY_DIR}/simtConfigVersion.cmake" ${simt_package_files}
        DESTINATION ${simt_package})
install(DIRECTORY cmake/cuda_variant cmake/toolkit DESTINATION ${simt_package})
# The same files beside the build tree's simtConfig.cmake: simt_DIR=build works as an installed copy does.
file(COPY ${simt_package_files} cmake/cuda_variant cmake/toolkit DESTINATION "${PROJECT_BINARY_DIR}")

# Completion and the manual page, as the tool that is installed writes them.
if(TARGET simrun AND NOT CMAKE_CROSSCOMPILING)
  install(CODE "
foreach(what IN ITEMS bash:bash-completion/completions/simrun zsh:zsh/site-functions/_simrun
                      fish:fish/vendor_completions.d/simrun.fish man:man/man1/simrun.1)
  string(REPLACE \":\" \";\" what \"\${what}\")
  list(GET what 0 kind)
  list(GET what 1 file)
  set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/\${file}\")
  message(STATUS \"Installing: \${file}\")
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY \"\${folder}\")
  execute_process(COMMAND \"$<TARGET_FILE:simrun>\" completion \${kind} OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)
endforeach()")
endif()

# CUDA C++ source files: headers (some without a suffix), runtimes, and how to compile, told relative to where it lies.
if(TARGET simt_cuda_runtime_sim)
  install(DIRECTORY frontends/cuda/headers DESTINATION ${simt_headers}/frontends/cuda)
  install(TARGETS ${simt_cuda_runtimes} ARCHIVE DESTINATION lib)
  install(FILES "${PROJECT_BINARY_DIR}/cuda_tool_chain_installed.txt" DESTINATION ${SIMT_MODULE_DIR}
          RENAME cuda_tool_chain.txt)
endif()

if(TARGET simt_loops)
  install(TARGETS simt_loops LIBRARY DESTINATION ${SIMT_MODULE_DIR})
endif()

if(TARGET simrun)
  install(TARGETS simrun RUNTIME DESTINATION bin)
  install(FILES cli/gdb/simt_gdb.py DESTINATION ${SIMT_MODULE_DIR})
endif()
foreach(variant IN ITEMS sim check)
  if(TARGET kernels.${variant})
    install(TARGETS kernels.${variant} LIBRARY DESTINATION ${SIMT_MODULE_DIR})
  endif()
endforeach()
if(TARGET kernels.cuda)
  install(TARGETS kernels.cuda LIBRARY DESTINATION ${SIMT_MODULE_DIR} OPTIONAL)
endif()
