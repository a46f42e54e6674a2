# SPDX-License-Identifier: Apache-2.0
# cmake -P: runs SOURCE with OPTIONS (comma-separated); exit code 0 and exactly EXPECTED on standard output, or fails.
string(REPLACE "," ";" options "${OPTIONS}")
set(ENV{SIMT_CACHE_DIR} "${CACHE}")
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" ${options} --timeout 100 RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
file(READ "${EXPECTED}" expected)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}\n${output}${errors}")
endif()
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "printed\n${output}\ninstead of\n${expected}")
endif()
