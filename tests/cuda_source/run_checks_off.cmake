# SPDX-License-Identifier: Apache-2.0
# Builds SOURCE for check with SIMRUN as PROGRAM and runs it with the checks off: it must print EXPECTED and end.
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" --check all -o "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
foreach(schedule natural random)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env SIMT_CHECK=none SIMT_WORKERS=1 SIMT_SCHEDULE=${schedule} "${PROGRAM}"
    OUTPUT_VARIABLE out TIMEOUT 60 RESULT_VARIABLE code)
  file(READ "${EXPECTED}" expected)
  if(NOT code STREQUAL "0" OR NOT out STREQUAL expected)
    message(FATAL_ERROR "${schedule}: ended with ${code}, printed: ${out}")
  endif()
endforeach()
