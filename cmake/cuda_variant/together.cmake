# SPDX-License-Identifier: Apache-2.0
# Several sources of one cuda target as one: nvcc reads the headers of each source three times and takes most of its
# time for that. This tree alone asks for it (SIMT_CUDA_TOGETHER); CMake's UNITY_BUILD leaves CUDA out before 3.31.

# simt_cuda_together(FILE SOURCES): writes FILE, which includes the sources in the list variable, and puts it in their
# place. A source that has a main() stays alone. Names in anonymous namespaces must differ within the sources.
function(simt_cuda_together file variable)
  set(alone "")
  set(text "")
  foreach(source IN LISTS ${variable})
    file(STRINGS "${source}" main REGEX "int main\\(|DOCTEST_CONFIG_IMPLEMENT")
    if(main)
      list(APPEND alone "${source}")
    else()
      string(APPEND text "#include \"${source}\"\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
  set(${variable} "${file}" ${alone} PARENT_SCOPE)
endfunction()
