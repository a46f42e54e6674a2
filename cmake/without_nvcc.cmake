# SPDX-License-Identifier: Apache-2.0
# The target without_nvcc: `all` without what nvcc compiles, which nothing runs where there is no device (tests/run).

# simt_built_without_nvcc(DIRECTORY VARIABLE): what `all` builds in it and below, but for directories that have the
# property SIMT_NVCC, and for targets that wait for such a one.
function(simt_built_without_nvcc directory variable)
  set(found "")
  get_property(excluded DIRECTORY "${directory}" PROPERTY EXCLUDE_FROM_ALL)
  get_property(by_nvcc DIRECTORY "${directory}" PROPERTY SIMT_NVCC)
  if(NOT excluded AND NOT by_nvcc)
    get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
      get_target_property(kind ${target} TYPE)
      get_target_property(waits_for ${target} MANUALLY_ADDED_DEPENDENCIES)
      if(NOT excluded AND NOT kind STREQUAL "INTERFACE_LIBRARY" AND NOT "${target}.cuda" IN_LIST waits_for)
        list(APPEND found ${target})
      endif()
    endforeach()
    get_property(below DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
    foreach(folder IN LISTS below)
      simt_built_without_nvcc("${folder}" more)
      list(APPEND found ${more})
    endforeach()
  endif()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

simt_built_without_nvcc("${PROJECT_SOURCE_DIR}" simt_wanted)
add_custom_target(without_nvcc DEPENDS ${simt_wanted})
