# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into WORK/prefix (PLACE prefix) or takes BUILD itself (PLACE build-tree), builds SOURCE against it, runs
# its tests, and runs its program with that copy's simrun. Any step that fails ends this with its output.
function(step name)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "${PLACE}: ${name} ended with ${result}; its output is above")
  endif()
  message(STATUS "${PLACE}: ${name}: ok")
  set(step_output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
if(PLACE STREQUAL "prefix")
  set(prefix "${WORK}/prefix")
  step("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")
  # An installed copy must not look back into the tree that it came from.
  file(GLOB package_files "${prefix}/lib/cmake/simt/*.cmake")
  foreach(file IN LISTS package_files)
    file(READ "${file}" text)
    string(FIND "${text}" "${BUILD}" found)
    if(NOT found EQUAL -1)
      message(FATAL_ERROR "${file} names the build tree ${BUILD}")
    endif()
  endforeach()
else()
  set(prefix "${BUILD}")
endif()

step("configure" "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
     "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DWANTED_VERSION=${VERSION}" "-DVARIANTS=${VARIANTS}"
     -DCMAKE_BUILD_TYPE=Release)
step("build" "${CMAKE_COMMAND}" --build "${WORK}/build")
step("tests" "${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}/build" --output-on-failure --no-tests=error)
string(REGEX MATCH "[^\n]*tests passed[^\n]*" summary "${step_output}")
message(STATUS "${PLACE}: ${summary}")

if(EXISTS "${prefix}/bin/simrun" AND EXISTS "${WORK}/build/libconsumer.sim.so")
  foreach(check IN ITEMS "" --detect-races)
    step("simrun triple ${check}" "${prefix}/bin/simrun" triple --module "${WORK}/build/libconsumer.sim.so" ${check})
  endforeach()
  step("simrun hist" "${prefix}/bin/simrun" hist)
endif()
