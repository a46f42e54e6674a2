// SPDX-License-Identifier: Apache-2.0
#include "code_scopes.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>

namespace simt {

void code_scopes::add_ranges(Dwarf_Die* of, ranges& to) {
  Dwarf_Addr base = 0, from = 0, end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(of, at, &base, &from, &end)) > 0;)
    if (from < end) to.push_back({from, end, *of});
}

// Functions may stand in namespaces and classes, and those of local classes (closures) in functions that lie elsewhere.
void code_scopes::add_functions(Dwarf_Die* parent, ranges& to) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram:
        add_ranges(&child, to);
        [[fallthrough]];
      case DW_TAG_inlined_subroutine:
      case DW_TAG_lexical_block:
      case DW_TAG_namespace:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_module:
        add_functions(&child, to);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

Dwarf_Die* code_scopes::holding(ranges& all, Dwarf_Addr address) {
  const auto after = std::ranges::upper_bound(all, address, {}, &range::from);
  if (after == all.begin() || address >= std::prev(after)->to) return nullptr;
  return &std::prev(after)->entry;
}

// Not dwfl_module_addrdie: clang writes no .debug_aranges, and where that table is empty or has gaps it answers with a
// unit before them.
Dwarf_Die* code_scopes::unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr* bias) {
  const auto [at, is_new] = units_.try_emplace(module);
  if (is_new) {
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, bias)) != nullptr;)
      add_ranges(unit, at->second);
    std::ranges::sort(at->second, {}, &range::from);
  }
  if (dwfl_module_getdwarf(module, bias) == nullptr) return nullptr;
  return holding(at->second, address - *bias);
}

std::vector<Dwarf_Die> code_scopes::around(Dwarf_Die* unit, Dwarf_Addr address) {
  const auto [at, is_new] = functions_.try_emplace(unit->addr);
  if (is_new) {
    add_functions(unit, at->second);
    std::ranges::sort(at->second, {}, &range::from);
  }
  const Dwarf_Die* const function = holding(at->second, address);
  if (function == nullptr) return {};
  std::vector<Dwarf_Die> out{*function};
  Dwarf_Die child;
  for (int end = dwarf_child(&out.back(), &child); end == 0;) {
    const int tag = dwarf_tag(&child);
    if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && dwarf_haspc(&child, address) == 1) {
      out.push_back(child);
      end = dwarf_child(&out.back(), &child);
    } else {
      end = dwarf_siblingof(&child, &child);
    }
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace simt
