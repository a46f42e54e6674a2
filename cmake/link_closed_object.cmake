# SPDX-License-Identifier: Apache-2.0
# cmake -DOBJECT= -DARCHIVES= -DLD= -DNM= -DOBJCOPY= -P: see check_runtime.cmake.
#
# Weak functions (nm's W) become local. Weak objects (V, u: inline variables, static variables of inline functions) do
# not, for they are state that kernels and engine share.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result ERROR_VARIABLE errors OUTPUT_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${result}): ${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Groups are dissolved: else the final link would take the kernel's copy of a group and drop this one's.
run("${LD}" -r --force-group-allocation -o "${OBJECT}.tmp" --whole-archive ${ARCHIVES})

run("${NM}" --defined-only --format=posix "${OBJECT}.tmp")
string(REGEX MATCHALL "[^ \n]+ W [^\n]*" lines "${output}")
list(TRANSFORM lines REPLACE " W .*" "")
list(JOIN lines "\n" names)
file(WRITE "${OBJECT}.weak" "${names}\n")

set(redefine "")
foreach(name IN ITEMS memcpy memset memmove)
  list(APPEND redefine --redefine-sym "${name}=__real_${name}")
endforeach()
run("${OBJCOPY}" "--localize-symbols=${OBJECT}.weak" ${redefine} "${OBJECT}.tmp" "${OBJECT}")
file(REMOVE "${OBJECT}.tmp" "${OBJECT}.weak")
