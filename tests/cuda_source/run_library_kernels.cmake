# SPDX-License-Identifier: Apache-2.0
# cmake -P: builds SOURCE, which calls a library often, and counts the kernels that were compiled for the library. Each is
# compiled in every way in which threads run, so calls share one for each of a few sizes of what they pass
# (simt_cuda/libraries/call.hpp); with one for each call such a program takes twice as long.
set(ENV{SIMT_CACHE_DIR} "${CACHE}")
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" -o "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${NM}" -C "${PROGRAM}" COMMAND grep -c "block_body<.*::libraries::" OUTPUT_VARIABLE count
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT count MATCHES "^[1-3]$")
  message(FATAL_ERROR "${count} kernels of the library instead of 1 to 3")
endif()
