# SPDX-License-Identifier: Apache-2.0
# Configures TREE in WORK/build, builds nothing and installs: what is missing is built first, but the cuda variant is
# left out, for nvcc takes minutes, and a project finds the package without it. Without the simulator and
# unoptimised, to be quick.
set(build "${WORK}/build")
set(prefix "${WORK}/prefix")
function(step name)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${name} ended with ${result}:\n${output}")
  endif()
  set(step_output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
step("configure" "${CMAKE_COMMAND}" -S "${TREE}" -B "${build}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" -DSIMT_BUILD_SIM=OFF
     -DSIMT_BUILD_TESTS=OFF -DSIMT_BUILD_BENCH=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=)
step("install" "${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}")
set(install_output "${step_output}")
step("simrun --version" "${prefix}/bin/simrun" --version)
file(STRINGS "${build}/build.ninja" cuda REGEX "^build simt_backend_cuda:")
if(cuda AND NOT install_output MATCHES "cuda variant was not built and is left out")
  message(FATAL_ERROR "install does not say that the cuda variant is left out:\n${install_output}")
endif()
file(WRITE "${WORK}/project/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(finds LANGUAGES CXX)
find_package(simt REQUIRED)
if(TARGET simt::cuda)
  message(FATAL_ERROR \"there is a cuda variant, and nobody built one\")
endif()
")
step("find_package" "${CMAKE_COMMAND}" -S "${WORK}/project" -B "${WORK}/project/build" "-DCMAKE_PREFIX_PATH=${prefix}"
     "-DCMAKE_CXX_COMPILER=${COMPILER}")
