# SPDX-License-Identifier: Apache-2.0
# cmake -P: disassembles OBJECT. The loop over threads of a kernel that never waits, and over the elements of an element
# function, must hold packed instructions and nothing of the engine: no call, no change of stacks. The kernel that waits shows
# that the patterns would be found.
execute_process(COMMAND "${OBJDUMP}" --disassemble --demangle --no-show-raw-insn --reloc "${OBJECT}"
                OUTPUT_VARIABLE text RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${OBJDUMP} cannot read ${OBJECT}")
endif()
string(REPLACE ";" "," text "${text}")
string(REPLACE "[" "(" text "${text}")
string(REPLACE "]" ")" text "${text}")

# code_of(KERNEL variable): the instructions of run_threads<KERNEL>, or of run_elements<KERNEL>.
function(code_of kernel variable)
  # Functions are separated by empty lines. The demangler gives a result's type before a template's name.
  string(REGEX MATCH "\n[0-9a-f]+ <void simt::sim::run_(threads|elements)<[^\n]*${kernel}[^\n]*>:\n([^\n]+\n)+" code "${text}")
  if(NOT code)
    message(FATAL_ERROR "no run_threads<${kernel}> or run_elements<${kernel}> in ${OBJECT}")
  endif()
  set(${variable} "${code}" PARENT_SCOPE)
endfunction()

set(packed_float "v?(mul|fmadd[0-9]*)p[s]")
set(packed_int "v?p(add|sub)d")
set(switch "jump_fcontext")
set(call "\tcall")

function(expect code pattern wanted what)
  string(REGEX MATCH "${pattern}" found "${code}")
  if(wanted AND NOT found)
    message(SEND_ERROR "${what}: not found (${pattern})")
  elseif(NOT wanted AND found)
    message(SEND_ERROR "${what}: found '${found}'")
  endif()
endfunction()

code_of(code_saxpy saxpy)
expect("${saxpy}" "${packed_float}" TRUE "packed multiplication in saxpy")
expect("${saxpy}" "${switch}" FALSE "a change of stacks in saxpy")
expect("${saxpy}" "${call}" FALSE "a call in saxpy")
code_of(code_increment increment)
expect("${increment}" "${packed_int}" TRUE "packed addition in increment")
expect("${increment}" "${switch}" FALSE "a change of stacks in increment")
expect("${increment}" "${call}" FALSE "a call in increment")
code_of(code_multiply multiply)
expect("${multiply}" "${packed_float}" TRUE "packed multiplication in multiply")
expect("${multiply}" "${switch}" FALSE "a change of stacks in multiply")
expect("${multiply}" "${call}" FALSE "a call in multiply")
code_of(code_waits waits)
expect("${waits}" "${switch}" TRUE "the change of stacks in a kernel that waits")
expect("${waits}" "detach" TRUE "the way to a first wait in a kernel that waits")
