// SPDX-License-Identifier: Apache-2.0
// elfutils' libdw, opened by name when a report first needs a line. It brings four more libraries, and most runs have
// nothing to name: linked, they would be a tenth of what the start of a run costs.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace simt {

#define SIMT_LIBDW(X)         \
  X(dwarf_attr)               \
  X(dwarf_attr_integrate)     \
  X(dwarf_child)              \
  X(dwarf_diename)            \
  X(dwarf_filesrc)            \
  X(dwarf_formstring)         \
  X(dwarf_formudata)          \
  X(dwarf_getsrc_die)         \
  X(dwarf_getsrcfiles)        \
  X(dwarf_haspc)              \
  X(dwarf_linecol)            \
  X(dwarf_lineno)             \
  X(dwarf_linesrc)            \
  X(dwarf_ranges)             \
  X(dwarf_siblingof)          \
  X(dwarf_tag)                \
  X(dwfl_addrmodule)          \
  X(dwfl_begin)               \
  X(dwfl_end)                 \
  X(dwfl_linux_proc_find_elf) \
  X(dwfl_module_addrdie)      \
  X(dwfl_module_addrname)     \
  X(dwfl_module_info)         \
  X(dwfl_module_nextcu)       \
  X(dwfl_report_begin_add)    \
  X(dwfl_report_elf)          \
  X(dwfl_report_end)          \
  X(dwfl_standard_find_debuginfo)

struct libdw {
#define SIMT_LIBDW_MEMBER(name) decltype(&::name) name = nullptr;
  SIMT_LIBDW(SIMT_LIBDW_MEMBER)
#undef SIMT_LIBDW_MEMBER
};

// Null: it is not installed. One for the process, never closed.
const libdw* open_libdw();

}  // namespace simt
