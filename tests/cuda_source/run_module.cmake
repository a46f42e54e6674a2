# SPDX-License-Identifier: Apache-2.0
# cmake -P: makes MODULE of KERNELS, as nvcc would make a cubin, and runs SOURCE checked with its name: it must print
# EXPECTED, without findings.
set(ENV{SIMT_CACHE_DIR} "${CACHE}")
execute_process(COMMAND "${SIMRUN}" "${KERNELS}" -arch=sm_90 -cubin -o "${MODULE}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" --check all -- "${MODULE}" RESULT_VARIABLE code OUTPUT_VARIABLE output
                ERROR_VARIABLE errors)
file(READ "${EXPECTED}" expected)
if(NOT code EQUAL 0 OR NOT output STREQUAL expected OR NOT errors MATCHES "no findings")
  message(FATAL_ERROR "exit code ${code}\n${output}${errors}")
endif()
