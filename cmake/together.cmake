# SPDX-License-Identifier: Apache-2.0
# Several sources of one target as one: most of a source's time goes into headers, and into functions of these that its
# neighbours ask for too; nvcc reads the headers of each source three times. This tree alone asks for it, with
# SIMT_TOGETHER, the number of sources in a file (in the cuda variant all are one). CMake's UNITY_BUILD leaves CUDA out
# before 3.31 and forgets OBJECT_DEPENDS.

# simt_together(FILE SOURCES COUNT): writes FILE, with a number before its suffix where there are several, which include
# up to COUNT of the sources in the list variable, and puts them in their place. A source that has a main() stays alone,
# as does one with options of its own. Names in anonymous namespaces must differ within the sources.
function(simt_together file variable count)
  set(alone "")
  set(gathered "")
  foreach(source IN LISTS ${variable})
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    get_source_file_property(definitions "${source}" COMPILE_DEFINITIONS)
    get_source_file_property(generated "${source}" GENERATED)
    set(main "")
    if(NOT generated)
      file(STRINGS "${source}" main REGEX "int main\\(|DOCTEST_CONFIG_IMPLEMENT")
    endif()
    if(main OR options OR definitions OR generated)
      list(APPEND alone "${source}")
    else()
      list(APPEND gathered "${source}")
    endif()
  endforeach()
  set(files "")
  set(at 0)
  list(LENGTH gathered end)
  while(at LESS end)
    list(SUBLIST gathered ${at} ${count} some)
    list(JOIN some "\"\n#include \"" text)
    set(name "${file}")
    if(end GREATER count)
      string(REGEX REPLACE "[.][a-z]+$" "_${at}\\0" name "${file}")
    endif()
    file(CONFIGURE OUTPUT "${name}" CONTENT "#include \"${text}\"\n" @ONLY)
    list(APPEND files "${name}")
    math(EXPR at "${at} + ${count}")
  endwhile()
  set(${variable} ${files} ${alone} PARENT_SCOPE)
endfunction()
