// SPDX-License-Identifier: Apache-2.0
// Reads DWARF with libdwfl: one session for the process. Of each compilation unit that was asked for there is a table
// of its functions, because walking through the entries of a unit takes milliseconds.
#include "debug_information.hpp"

#include <dlfcn.h>
#include <dwarf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "function_name.hpp"
#include "libdw.hpp"
#include "loaded_file.hpp"

namespace simt {
namespace {

const libdw* dw = nullptr;  // open while there is a session

// Separate debug files are looked for on this machine only: a symbolizer must not wait for a network.
int find_local_debuginfo(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                         const char* link, GElf_Word checksum, char** found) {
  static const bool quiet = [] { return ::unsetenv("DEBUGINFOD_URLS") == 0; }();
  return quiet ? dw->dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum, found) : -1;
}

const Dwfl_Callbacks& callbacks() {
  static const Dwfl_Callbacks all = {dw->dwfl_linux_proc_find_elf, find_local_debuginfo, nullptr, nullptr};
  return all;
}

constexpr Dwarf_Addr kLongestLineLookBack = 64;  // bytes of code; a statement's moved part is rarely further away

// The value of an integer attribute; 0 when there is none.
Dwarf_Word number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dw->dwarf_attr_integrate(die, attribute, &found) != nullptr) dw->dwarf_formudata(&found, &value);
  return value;
}

std::string function_name(Dwarf_Die* die) {
  const char* name = dw->dwarf_diename(die);
  if (name != nullptr && std::string_view(name) != "operator()") return name;
  Dwarf_Attribute found;
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dw->dwarf_attr_integrate(die, attribute, &found) == nullptr) continue;
    if (const char* linkage = dw->dwarf_formstring(&found)) return name_of_symbol(linkage);
  }
  return name != nullptr ? name : "";
}

// The file that DW_AT_call_file of an inlined call means.
const char* call_file(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const Dwarf_Word index = number(inlined, DW_AT_call_file);
  if (dw->dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count) return nullptr;
  return dw->dwarf_filesrc(files, index, nullptr, nullptr);
}

// A function's code, or one of several pieces of it.
struct function_code {
  Dwarf_Addr begin = 0, end = 0;
  Dwarf_Die function{};
};

// Adds the functions below `parent` that have code. Functions of local classes (closures) stand inside the entry of the
// function around them, which may have no code of its own.
void add_functions(Dwarf_Die* parent, std::vector<function_code>& out) {
  Dwarf_Die child;
  if (dw->dwarf_child(parent, &child) != 0) return;
  do {
    switch (dw->dwarf_tag(&child)) {
      case DW_TAG_subprogram: {
        Dwarf_Addr base = 0, begin = 0, end = 0;
        for (std::ptrdiff_t next = 0; (next = dw->dwarf_ranges(&child, next, &base, &begin, &end)) > 0;)
          out.push_back({begin, end, child});
        add_functions(&child, out);
        break;
      }
      case DW_TAG_lexical_block:
      case DW_TAG_namespace:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_module:
        add_functions(&child, out);
        break;
      default:
        break;
    }
  } while (dw->dwarf_siblingof(&child, &child) == 0);
}

// Adds the entries inside a function that hold the address, innermost first; false: none does.
bool add_scopes(Dwarf_Die* parent, Dwarf_Addr address, std::vector<Dwarf_Die>& out) {
  Dwarf_Die child;
  if (dw->dwarf_child(parent, &child) != 0) return false;
  do {
    const int tag = dw->dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
    const bool holds = dw->dwarf_haspc(&child, address) == 1;
    const bool inside = add_scopes(&child, address, out);
    if (holds) out.push_back(child);
    if (holds || inside) return true;
  } while (dw->dwarf_siblingof(&child, &child) == 0);
  return false;
}

// The compilation unit that an address belongs to. Compilers that write no .debug_aranges (clang) leave the table that
// dwfl_module_addrdie reads empty, or with gaps, for which it answers with a unit before them: then each unit is asked
// for its ranges.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr* bias) {
  Dwarf_Die* unit = dw->dwfl_module_addrdie(module, address, bias);
  if (unit != nullptr && dw->dwarf_haspc(unit, address - *bias) != 0) return unit;
  unit = nullptr;
  while ((unit = dw->dwfl_module_nextcu(module, unit, bias)) != nullptr) {
    if (dw->dwarf_haspc(unit, address - *bias) == 1) return unit;
  }
  return nullptr;
}

// Which file a module was read from, to notice another one at its place.
struct file_state {
  std::string path;
  std::uintptr_t bias = 0;
  struct ::stat data {};
  bool operator==(const file_state& o) const {
    const auto key = [](const file_state& f) {
      return std::tuple(f.bias, f.data.st_dev, f.data.st_ino, f.data.st_size, f.data.st_mtim.tv_sec,
                        f.data.st_mtim.tv_nsec);
    };
    return path == o.path && key(*this) == key(o);
  }
};

file_state state_of(const loaded_file& f) {
  file_state state{f.path, f.bias};
  ::stat(f.path.c_str(), &state.data);
  return state;
}

class debug_session {
 public:
  std::vector<debug_frame> frames(std::uintptr_t address);
  std::string symbol(std::uintptr_t address);

 private:
  Dwfl_Module* known_module(std::uintptr_t address) const;
  Dwfl_Module* module_of(std::uintptr_t address);
  void forget();
  std::vector<Dwarf_Die> scopes_at(Dwarf_Die* unit, Dwarf_Addr address);

  std::mutex mutex_;
  Dwfl* session_ = nullptr;
  std::unordered_map<Dwfl_Module*, file_state> modules_;
  std::unordered_map<const void*, std::vector<function_code>> functions_;  // of units, by their entry, sorted
};

// The module whose span holds an address. dwfl_addrmodule also answers for the gaps between modules that it knows,
// where a module opened later may lie.
Dwfl_Module* debug_session::known_module(std::uintptr_t address) const {
  Dwfl_Module* module = session_ != nullptr ? dw->dwfl_addrmodule(session_, address) : nullptr;
  Dwarf_Addr begin = 0, end = 0;
  if (module == nullptr) return nullptr;
  dw->dwfl_module_info(module, nullptr, &begin, &end, nullptr, nullptr, nullptr, nullptr);
  return address >= begin && address < end ? module : nullptr;
}

Dwfl_Module* debug_session::module_of(std::uintptr_t address) {
  const loaded_file file = file_at(address);
  if (file.path.empty()) return nullptr;
  const file_state state = state_of(file);
  if (Dwfl_Module* module = known_module(address)) {
    if (modules_[module] == state) return module;
    forget();
  } else if (std::ranges::any_of(modules_, [](const auto& m) {  // a closed one may lie where the new one does
               Dwarf_Addr begin = 0;
               dw->dwfl_module_info(m.first, nullptr, &begin, nullptr, nullptr, nullptr, nullptr, nullptr);
               return !(state_of(file_at(begin)) == m.second);
             })) {
    forget();
  }
  if (dw == nullptr) dw = open_libdw();
  if (dw == nullptr) return nullptr;
  if (session_ == nullptr) session_ = dw->dwfl_begin(&callbacks());
  if (session_ == nullptr) return nullptr;
  dw->dwfl_report_begin_add(session_);
  dw->dwfl_report_elf(session_, file.path.c_str(), file.path.c_str(), -1, file.bias, true);
  dw->dwfl_report_end(session_, nullptr, nullptr);
  Dwfl_Module* module = known_module(address);
  if (module != nullptr) modules_[module] = state;
  return module;
}

void debug_session::forget() {
  functions_.clear();
  modules_.clear();
  if (session_ != nullptr) dw->dwfl_end(session_);
  session_ = nullptr;
}

// Scopes around an address, innermost first, up to the function. dwarf_getscopes (elfutils 0.188) leaves the tree of
// calls at the first inlined function and misses functions that stand inside other functions' entries.
std::vector<Dwarf_Die> debug_session::scopes_at(Dwarf_Die* unit, Dwarf_Addr address) {
  const auto [at, is_new] = functions_.try_emplace(unit->addr);
  std::vector<function_code>& functions = at->second;
  if (is_new) {
    add_functions(unit, functions);
    std::ranges::sort(functions, {}, &function_code::begin);
  }
  std::vector<Dwarf_Die> out;
  const auto next = std::ranges::upper_bound(functions, address, {}, &function_code::begin);
  if (next == functions.begin() || address >= std::prev(next)->end) return out;
  Dwarf_Die function = std::prev(next)->function;
  add_scopes(&function, address, out);
  out.push_back(function);
  return out;
}

std::vector<debug_frame> debug_session::frames(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  std::vector<debug_frame> out;
  Dwarf_Addr bias = 0;
  Dwfl_Module* module = module_of(address);
  Dwarf_Die* unit = module != nullptr ? unit_at(module, address, &bias) : nullptr;
  if (unit == nullptr) return out;
  Dwarf_Attribute found;
  const char* directory = dw->dwarf_formstring(dw->dwarf_attr(unit, DW_AT_comp_dir, &found));
  debug_frame at;
  if (directory != nullptr) at.directory = directory;
  if (Dwarf_Line* line = dw->dwarf_getsrc_die(unit, address - bias)) {
    dw->dwarf_lineno(line, &at.line);
    dw->dwarf_linecol(line, &at.column);
    if (const char* file = dw->dwarf_linesrc(line, nullptr, nullptr)) at.path = file;
  }
  // Line 0 marks code that the compiler moved; the nearest line before it is the best there is.
  for (Dwarf_Addr back = 1; at.line == 0 && back <= kLongestLineLookBack; ++back) {
    Dwarf_Line* line = dw->dwarf_getsrc_die(unit, address - bias - back);
    const char* file = line != nullptr ? dw->dwarf_linesrc(line, nullptr, nullptr) : nullptr;
    if (file != nullptr && at.path == file) dw->dwarf_lineno(line, &at.line);
  }
  for (Dwarf_Die& scope : scopes_at(unit, address - bias)) {
    if (dw->dwarf_tag(&scope) == DW_TAG_lexical_block) continue;
    at.function = function_name(&scope);
    out.push_back(at);
    const char* file = call_file(unit, &scope);
    at.path = file != nullptr ? file : "";
    at.line = static_cast<int>(number(&scope, DW_AT_call_line));
    at.column = static_cast<int>(number(&scope, DW_AT_call_column));
  }
  if (out.empty() && !at.path.empty()) {  // a line table without function entries
    at.column = 0;
    out.push_back(at);
  }
  return out;
}

std::string debug_session::symbol(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  if (Dwfl_Module* module = module_of(address)) {
    if (const char* symbol = dw->dwfl_module_addrname(module, address)) return name_of_symbol(symbol);
  }
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(address), &info) == 0) {
    char text[32];
    std::snprintf(text, sizeof text, "%#zx", address);
    return text;
  }
  if (info.dli_sname != nullptr) return name_of_symbol(info.dli_sname);
  char offset[32];
  std::snprintf(offset, sizeof offset, "+%#zx", address - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
  return std::filesystem::path(info.dli_fname).filename().string() + offset;
}

// Never destroyed: reports are still written when the process ends.
debug_session& session() {
  static debug_session& one = *new debug_session;
  return one;
}

}  // namespace

std::vector<debug_frame> debug_frames(std::uintptr_t address) { return session().frames(address); }

std::string symbol_at(std::uintptr_t address) { return session().symbol(address); }

}  // namespace simt
