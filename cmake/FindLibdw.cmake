# SPDX-License-Identifier: Apache-2.0
# elfutils' libdw (source lines of code addresses): target Libdw::Libdw. It installs no CMake package of its own.
find_path(Libdw_INCLUDE_DIR elfutils/libdwfl.h)
find_library(Libdw_LIBRARY dw)
find_library(Libdw_elf_LIBRARY elf)
mark_as_advanced(Libdw_INCLUDE_DIR Libdw_LIBRARY Libdw_elf_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libdw REQUIRED_VARS Libdw_LIBRARY Libdw_elf_LIBRARY Libdw_INCLUDE_DIR)

if(Libdw_FOUND AND NOT TARGET Libdw::Libdw)
  add_library(Libdw::Libdw UNKNOWN IMPORTED)
  set_target_properties(
    Libdw::Libdw PROPERTIES IMPORTED_LOCATION "${Libdw_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Libdw_INCLUDE_DIR}"
                            INTERFACE_LINK_LIBRARIES "${Libdw_elf_LIBRARY}")
endif()
