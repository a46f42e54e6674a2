# SPDX-License-Identifier: Apache-2.0
# Builds SOURCE for check with SIMRUN and runs it without: as often as it takes to say what simrun says of it, and with
# what the program prints once. FOLDER: for what is written. LOOPS: kernels can run as loops, whose silent reads may
# leave a run in doubt. GROUPED: a source whose findings are shown as one.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(program "${FOLDER}/counted_runs.check")
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" --check all -o "${program}" COMMAND_ERROR_IS_FATAL ANY)

function(expect_runs wanted_runs wanted_code what)
  file(REMOVE "${FOLDER}/runs")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${ARGN} "${program}" "${FOLDER}/runs" ${what} OUTPUT_VARIABLE out
                  ERROR_VARIABLE err RESULT_VARIABLE code TIMEOUT 60)
  file(STRINGS "${FOLDER}/runs" runs)
  list(LENGTH runs count)
  if(NOT code EQUAL wanted_code OR NOT count EQUAL wanted_runs OR NOT out STREQUAL "printed\n")
    message(FATAL_ERROR "${what} ${ARGN}: ended with ${code} after ${count} runs\n${out}${err}")
  endif()
endfunction()

set(in_doubt 1)
set(in_doubt_and_found 1)
if(LOOPS)
  set(in_doubt 2)
  set(in_doubt_and_found 3)  # the second one as loops, too
endif()
# One that is found on fibers and one worker needs no second run.
expect_runs(1 0 clean)
expect_runs(2 3 race)
expect_runs(1 3 race SIMT_EXECUTION=fibers SIMT_WORKERS=1)
expect_runs(${in_doubt} 0 doubt)
expect_runs(1 0 doubt SIMT_NO_DOUBT=1)
expect_runs(${in_doubt_and_found} 3 doubt_and_race SIMT_WORKERS=1)
expect_runs(1 0 race SIMT_CHECK=none)

# simrun takes the built program, too, and says of it what it says of the source.
foreach(what clean race doubt doubt_and_race)
  foreach(run "${program}" "${SOURCE}")
    execute_process(COMMAND "${SIMRUN}" "${run}" --check all --quiet --json "${FOLDER}/report.json" -- "${FOLDER}/runs" ${what}
                    OUTPUT_QUIET ERROR_QUIET)
    file(READ "${FOLDER}/report.json" report)
    string(JSON verdict GET "${report}" verdict)
    string(JSON findings GET "${report}" findings)
    string(REGEX REPLACE "[ \n]*\"(replay|debug)\"[^\n]*" "" findings "${findings}")
    string(JSON execution GET "${report}" launches 0 execution)
    list(APPEND said "${verdict} ${execution} ${findings}")
  endforeach()
  list(REMOVE_DUPLICATES said)
  list(LENGTH said count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${what}: of the built program and of its source simrun says\n${said}")
  endif()
  set(said "")
endforeach()

# What the built program says itself is what simrun says below the launches, but for commands that simrun has.
execute_process(COMMAND "${SIMRUN}" "${GROUPED}" --check all -o "${FOLDER}/grouped.check" COMMAND_ERROR_IS_FATAL ANY)
set(ENV{NO_COLOR} 1)
foreach(command IN ITEMS "${SIMRUN};${GROUPED};--check;all" "${FOLDER}/grouped.check")
  execute_process(COMMAND ${command} OUTPUT_QUIET ERROR_VARIABLE err)
  string(REPLACE ";" "," err "${err}")
  string(FIND "${err}" "error[" first)  # above it: the launches
  string(SUBSTRING "${err}" ${first} -1 err)
  string(REGEX REPLACE "  = (replay|debug): [^\n]*\n(   [^\n]*\n)*" "" err "${err}")
  string(REGEX REPLACE "\n[^\n ]+: ([0-9]+ errors)" "\n\\1" err "${err}")
  string(REGEX REPLACE "[ \n]+" " " err "${err}")  # a terminal's width is another than a file's
  list(APPEND said "${err}")
endforeach()
list(GET said 0 by_simrun)
list(GET said 1 by_itself)
if(NOT by_simrun STREQUAL by_itself OR NOT by_itself MATCHES "mended with it:")
  message(FATAL_ERROR "simrun says\n${by_simrun}\nand the program itself\n${by_itself}")
endif()

# simrun starts it with all checks where none are named.
execute_process(COMMAND "${SIMRUN}" "${FOLDER}/grouped.check" OUTPUT_QUIET ERROR_VARIABLE err RESULT_VARIABLE code)
if(NOT code EQUAL 3 OR NOT err MATCHES "judged races, memory, uninit, barrier")
  message(FATAL_ERROR "a checked program that simrun starts ended with ${code}: ${err}")
endif()

# What was built without checks, or is no program of simrun's, is refused.
execute_process(COMMAND "${SIMRUN}" "${SOURCE}" -o "${FOLDER}/counted_runs.sim" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${SIMRUN}" "${FOLDER}/counted_runs.sim" --check all ERROR_VARIABLE err RESULT_VARIABLE code)
string(REGEX REPLACE "[ \n]+" " " err "${err}")  # its lines end where the folder's name lets them
if(NOT code EQUAL 2 OR NOT err MATCHES "was built without checks")
  message(FATAL_ERROR "ended with ${code}: ${err}")
endif()
execute_process(COMMAND "${SIMRUN}" "${FOLDER}/counted_runs.sim" -- "${FOLDER}/runs" clean OUTPUT_VARIABLE out RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR NOT out STREQUAL "printed\n")
  message(FATAL_ERROR "ended with ${code}: ${out}")
endif()
