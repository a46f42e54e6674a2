// SPDX-License-Identifier: Apache-2.0
// Which functions and inlined calls stand around a code address, as DWARF has it.
//
// A profile asks for hundreds of addresses, and a unit's tree of entries has tens of thousands: units' ranges and the
// functions of a unit are listed once, when they are first asked for.
#pragma once

#include <elfutils/libdwfl.h>

#include <unordered_map>
#include <vector>

namespace simt {

class code_scopes {
 public:
  // The compilation unit that an address belongs to, or null. bias: from its own addresses to the process's.
  Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr* bias);
  // Entries around an address of the unit (its own, without the bias), innermost first: inlined calls and blocks, then
  // the function. dwarf_getscopes (elfutils 0.188) leaves the tree of calls at the first inlined function and misses
  // functions that stand inside other functions' entries.
  std::vector<Dwarf_Die> around(Dwarf_Die* unit, Dwarf_Addr address);

 private:
  struct range {
    Dwarf_Addr from, to;
    Dwarf_Die entry;
  };
  using ranges = std::vector<range>;  // sorted; none overlaps another
  static void add_ranges(Dwarf_Die* of, ranges& to);
  static void add_functions(Dwarf_Die* parent, ranges& to);
  static Dwarf_Die* holding(ranges& all, Dwarf_Addr address);

  std::unordered_map<Dwfl_Module*, ranges> units_;  // by addresses of the process
  std::unordered_map<void*, ranges> functions_;     // of units, by where their entry is
};

}  // namespace simt
