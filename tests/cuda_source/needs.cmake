# SPDX-License-Identifier: Apache-2.0
# Of a program whose first lines say `// needs: HEADER of PACKAGE`: where the header is not there, the test is skipped
# and says why. Sets skip.
function(look_for_needs source)
  set(skip FALSE PARENT_SCOPE)
  file(STRINGS "${source}" needs REGEX "^// needs: [^ ]+ of [^ ]+$")
  foreach(line IN LISTS needs)
    string(REGEX MATCH "^// needs: ([^ ]+) of ([^ ]+)$" line "${line}")
    set(package "${CMAKE_MATCH_2}")
    file(GLOB found "/usr/include/${CMAKE_MATCH_1}" "/usr/include/*/${CMAKE_MATCH_1}")
    if(NOT found)
      message(STATUS "skipped: the package ${package} is not installed")
      set(skip TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
