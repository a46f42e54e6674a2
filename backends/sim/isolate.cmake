# SPDX-License-Identifier: Apache-2.0
# cmake -P: links ARCHIVES (comma-separated) into the relocatable object OUTPUT and makes all symbols local that are
# not strong definitions of the API (namespace simt, extern "C" hooks).
# KEEP: a pattern for the names to keep instead.
string(REPLACE "," ";" ARCHIVES "${ARCHIVES}")
if(NOT KEEP)
  set(KEEP "_ZNK?4simt|_ZT[VIS]N4simt|__tsan_|__ubsan_handle_|__wrap_|simt_")
endif()
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "isolate: ${ARGN} failed: ${error}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${LD}" -r --force-group-allocation --whole-archive ${ARCHIVES} --no-whole-archive -o "${OUTPUT}.all")
run("${NM}" --defined-only --extern-only "${OUTPUT}.all")
string(REGEX MATCHALL "[^\n]+" lines "${output}")
set(keep "")
foreach(line IN LISTS lines)
  # Strong definitions of the API only: weak ones, and those of the standard library, are inline functions and templates.
  if(line MATCHES " [TDBRS] ((${KEEP}).*)$")
    string(APPEND keep "${CMAKE_MATCH_1}\n")
  endif()
endforeach()
file(WRITE "${OUTPUT}.keep" "${keep}")
# What the runtime itself copies and unlocks is not announced: past --wrap, to the real functions.
run("${OBJCOPY}" "--keep-global-symbols=${OUTPUT}.keep" --redefine-sym memcpy=__real_memcpy
    --redefine-sym memmove=__real_memmove --redefine-sym memset=__real_memset
    --redefine-sym pthread_mutex_unlock=__real_pthread_mutex_unlock
    --redefine-sym pthread_create=__real_pthread_create "${OUTPUT}.all" "${OUTPUT}")
file(REMOVE "${OUTPUT}.all")
