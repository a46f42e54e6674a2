# SPDX-License-Identifier: Apache-2.0
# A run whose findings are all suppressed ends with 0, and `simrun replay` repeats a run of CUDA source.
file(MAKE_DIRECTORY "${FOLDER}")
set(ENV{SIMT_CACHE_DIR} "${CACHE}")
file(WRITE "${FOLDER}/suppressed.txt" "rule:race-shared object:partial\n")
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" --detect-races --suppress "${FOLDER}/suppressed.txt" RESULT_VARIABLE code ERROR_VARIABLE text)
if(NOT code EQUAL 0 OR NOT text MATCHES "1 suppressed")
  message(FATAL_ERROR "suppressed: exit code ${code}\n${text}")
endif()
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" --detect-races --json "${FOLDER}/report.json" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
execute_process(COMMAND "${SIMRUN}" replay "${FOLDER}/report.json" RESULT_VARIABLE again ERROR_VARIABLE text)
if(NOT code EQUAL 3 OR NOT again EQUAL 3 OR NOT text MATCHES "race-shared")
  message(FATAL_ERROR "replay: exit codes ${code}, ${again}\n${text}")
endif()
