# SPDX-License-Identifier: Apache-2.0
# The check variant's runtime as one closed object: engine, detector and __tsan_* functions behind a wall.
#
# An inline function (of the standard library, say) that both a kernel and the engine call exists once in a linked
# module, and the first copy wins: the kernel's, which is instrumented. The engine would then report its own accesses as
# the kernel's, and the detector would run unoptimised. So the libraries behind it are linked into one object first, in
# which such functions become local, and its calls of memcpy and the like go past the --wrap of the final link.

function(simt_add_check_runtime)
  set(archives "")
  set(outside "")
  foreach(part IN ITEMS simt_backend_check simt_backend_sim simt_engine simt_check simt_symbolize simt_report)
    if(TARGET ${part})
      list(APPEND archives "$<TARGET_FILE:${part}>")
      get_target_property(libraries ${part} LINK_LIBRARIES)
      if(libraries)
        list(FILTER libraries EXCLUDE REGEX "^(\\$<[^>]*:)?simt")
        list(APPEND outside ${libraries})
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES outside)

  set(object "${PROJECT_BINARY_DIR}/simt_check_runtime.o")
  set(script "${PROJECT_SOURCE_DIR}/cmake/link_closed_object.cmake")
  add_custom_command(
    OUTPUT "${object}"
    COMMAND "${CMAKE_COMMAND}" "-DOBJECT=${object}" "-DARCHIVES=${archives}" "-DLD=${CMAKE_LINKER}" "-DNM=${CMAKE_NM}"
            "-DOBJCOPY=${CMAKE_OBJCOPY}" -P "${script}"
    DEPENDS ${archives} "${script}"
    COMMENT "Linking the check variant's runtime into one object"
    VERBATIM)
  add_library(simt_check_runtime STATIC "${object}")
  set_target_properties(simt_check_runtime PROPERTIES LINKER_LANGUAGE CXX)
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_link_libraries(simt_check_runtime INTERFACE ${outside})
endfunction()
