// SPDX-License-Identifier: Apache-2.0
// Symbolizing with libdwfl: one session for the process, renewed when an address lies in a module opened since.
#include "symbolize.hpp"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <unordered_map>

#include "code_scopes.hpp"
#include "function_name.hpp"

#ifndef SIMT_SOURCE_ROOT
#define SIMT_SOURCE_ROOT ""
#endif

namespace simt {
namespace {

namespace fs = std::filesystem;

// Separate debug files are looked for on this machine only: a symbolizer must not wait for a network.
int find_local_debuginfo(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                         const char* link, GElf_Word checksum, char** found) {
  static const bool quiet = [] { return ::unsetenv("DEBUGINFOD_URLS") == 0; }();
  return quiet ? dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum, found) : -1;
}

// What the dynamic loader has put around an address. It is asked rather than /proc/self/maps, where a file that libelf
// reads looks like the module itself.
struct loaded_file {
  std::uintptr_t address = 0;
  std::string path{};  // empty: nothing
  std::uintptr_t bias = 0;
};
loaded_file file_at(std::uintptr_t address) {
  loaded_file found{address};
  ::dl_iterate_phdr(
      [](dl_phdr_info* o, std::size_t, void* to) {
        auto& f = *static_cast<loaded_file*>(to);
        for (int i = 0; i < o->dlpi_phnum; ++i) {
          const auto& segment = o->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || f.address - (o->dlpi_addr + segment.p_vaddr) >= segment.p_memsz) continue;
          f.path = o->dlpi_name[0] != 0 ? o->dlpi_name : "/proc/self/exe";
          f.bias = o->dlpi_addr;
          return 1;
        }
        return 0;
      },
      &found);
  return found;
}

const Dwfl_Callbacks kCallbacks = {dwfl_linux_proc_find_elf, find_local_debuginfo, nullptr, nullptr};

constexpr Dwarf_Addr kLongestLookBack = 64;  // bytes of code; a statement's moved part is rarely further away

bool is_below(std::string_view path, std::string_view directory) {
  return !directory.empty() && path.size() > directory.size() && path.starts_with(directory) &&
         (directory.back() == '/' || path[directory.size()] == '/');
}

bool is_system(std::string_view path) {
  for (const char* part :
       {"/include/c++/", "/lib/gcc/", "/lib/llvm", "/include/simt/", "/include/simt-", "/sysdeps/", "/bits/"}) {
    if (path.find(part) != std::string_view::npos) return true;
  }
  for (const char* first : {"/usr/include/", "sysdeps/", "csu/", "nptl/"}) {  // the C library's, relative to its build
    if (path.starts_with(first)) return true;
  }
  return false;
}

// The value of an integer attribute; 0 when there is none.
Dwarf_Word number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) != nullptr) dwarf_formudata(&found, &value);
  return value;
}

std::string function_name(Dwarf_Die* die) {
  const char* name = dwarf_diename(die);
  if (name != nullptr && std::string_view(name) != "operator()") return name;
  Dwarf_Attribute found;
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(die, attribute, &found) == nullptr) continue;
    if (const char* linkage = dwarf_formstring(&found)) return name_of_symbol(linkage);
  }
  return name != nullptr ? name : "";
}

// The file that DW_AT_call_file of an inlined call means.
const char* call_file(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const Dwarf_Word index = number(inlined, DW_AT_call_file);
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count) return nullptr;
  return dwarf_filesrc(files, index, nullptr, nullptr);
}

struct location {
  std::string path;
  int line = 0, column = 0;
};

}  // namespace

struct symbolizer::state {
  symbolizer_options options;
  std::mutex mutex;
  Dwfl* session = nullptr;
  code_scopes scopes;
  std::unordered_map<std::uintptr_t, std::vector<code_frame>> known;

  ~state() {
    if (session != nullptr) dwfl_end(session);
  }

  // The module whose span holds an address. dwfl_addrmodule also answers for the gaps between modules that it knows,
  // where a module opened later may lie.
  Dwfl_Module* known_module(std::uintptr_t address) const {
    Dwfl_Module* module = session != nullptr ? dwfl_addrmodule(session, address) : nullptr;
    Dwarf_Addr begin = 0, end = 0;
    if (module == nullptr) return nullptr;
    dwfl_module_info(module, nullptr, &begin, &end, nullptr, nullptr, nullptr, nullptr);
    return address >= begin && address < end ? module : nullptr;
  }

  Dwfl_Module* module_of(std::uintptr_t address) {
    if (Dwfl_Module* module = known_module(address)) return module;
    if (session == nullptr) session = dwfl_begin(&kCallbacks);
    const loaded_file file = file_at(address);
    if (session == nullptr || file.path.empty()) return nullptr;
    dwfl_report_begin_add(session);
    dwfl_report_elf(session, file.path.c_str(), file.path.c_str(), -1, file.bias, true);
    dwfl_report_end(session, nullptr, nullptr);
    return known_module(address);
  }

  // Where the text of a recorded file name lies, and how to call it.
  void place(code_frame& frame, std::string path, const char* directory) const {
    if (path.empty()) return;
    fs::path absolute = path;
    if (absolute.is_relative() && directory != nullptr) absolute = fs::path(directory) / absolute;
    frame.path = absolute.lexically_normal().string();
    frame.file = frame.path;
    for (const std::string& root : options.source_roots) {
      if (!is_below(frame.path, root)) continue;
      frame.file = fs::path(frame.path).lexically_relative(root).string();
      break;
    }
    frame.engine = is_system(frame.path) || std::ranges::any_of(options.engine_directories, [&](const std::string& d) {
                     return is_below(frame.path, d);
                   });
  }

  std::vector<code_frame> from_dwarf(Dwfl_Module* module, Dwarf_Addr address) {
    std::vector<code_frame> out;
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = scopes.unit_at(module, address, &bias);
    if (unit == nullptr) return out;
    Dwarf_Attribute found;
    const char* directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &found));
    location at;
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, address - bias)) {
      dwarf_lineno(line, &at.line);
      dwarf_linecol(line, &at.column);
      if (const char* file = dwarf_linesrc(line, nullptr, nullptr)) at.path = file;
    }
    // Line 0 marks code that the compiler moved; the nearest line before it is the best there is.
    for (Dwarf_Addr back = 1; at.line == 0 && back <= kLongestLookBack; ++back) {
      Dwarf_Line* line = dwarf_getsrc_die(unit, address - bias - back);
      const char* file = line != nullptr ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
      if (file != nullptr && at.path == file) dwarf_lineno(line, &at.line);
    }
    for (Dwarf_Die& scope : scopes.around(unit, address - bias)) {
      const int tag = dwarf_tag(&scope);
      if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
      code_frame frame;
      frame.function = function_name(&scope);
      frame.line = at.line;
      frame.column = at.column;
      place(frame, at.path, directory);
      out.push_back(std::move(frame));
      if (tag == DW_TAG_subprogram) break;
      const char* file = call_file(unit, &scope);
      at = {file != nullptr ? file : "", static_cast<int>(number(&scope, DW_AT_call_line)),
            static_cast<int>(number(&scope, DW_AT_call_column))};
    }
    if (out.empty() && !at.path.empty()) {  // a line table without function entries
      code_frame frame;
      frame.line = at.line;
      place(frame, at.path, directory);
      out.push_back(std::move(frame));
    }
    return out;
  }

  // The name of the function at an address from symbol tables, else "module+0xoffset".
  static std::string from_symbols(Dwfl_Module* module, std::uintptr_t address) {
    if (module != nullptr) {
      if (const char* symbol = dwfl_module_addrname(module, address)) return name_of_symbol(symbol);
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
    return fs::path(info.dli_fname).filename().string() + offset;
  }

  std::vector<code_frame> look_up(std::uintptr_t return_address) {
    const std::uintptr_t address = return_address - (return_address != 0 ? 1 : 0);
    Dwfl_Module* module = module_of(address);
    std::vector<code_frame> out;
    if (module != nullptr) out = from_dwarf(module, address);
    if (out.empty()) out.emplace_back();
    if (out.back().function.empty()) out.back().function = from_symbols(module, address);
    return out;
  }
};

std::uintptr_t offset_in_file(std::uintptr_t address) { return address - file_at(address).bias; }

symbolizer::symbolizer(symbolizer_options options) : state_(std::make_unique<state>()) {
  const std::string root = SIMT_SOURCE_ROOT;
  if (options.source_roots.empty()) {
    std::error_code failed;
    if (!root.empty()) options.source_roots.push_back(root);
    options.source_roots.push_back(fs::current_path(failed).string());
  }
  if (options.engine_directories.empty() && !root.empty())
    options.engine_directories = {root + "/backends", root + "/frontends", root + "/sim", root + "/cli"};
  state_->options = std::move(options);
}

symbolizer::~symbolizer() = default;

const std::vector<code_frame>& symbolizer::frames(std::uintptr_t return_address) {
  const std::lock_guard lock(state_->mutex);
  const auto known = state_->known.find(return_address);
  if (known != state_->known.end()) return known->second;
  return state_->known.emplace(return_address, state_->look_up(return_address)).first->second;
}

void symbolizer::resolve(access& a, std::span<const std::uintptr_t> callers) {
  std::vector<code_frame> user;
  const auto add_user_frames = [&](std::uintptr_t address) {
    for (const code_frame& f : frames(address)) {
      if (!f.engine && (!f.file.empty() || user.empty())) user.push_back(f);
    }
  };
  if (a.pc != 0) add_user_frames(a.pc);
  // The end of a function of ours into which the user's was inlined: the user's last code before it says more.
  for (std::uintptr_t back = 1; user.empty() && back <= kLongestLookBack && back < a.pc; ++back)
    if (frames(a.pc - back).back().function == frames(a.pc).back().function) add_user_frames(a.pc - back);
  const std::size_t own = user.size();
  for (const std::uintptr_t caller : callers) {
    add_user_frames(caller);
    // Whoever follows calls may count the place itself as the innermost.
    const auto same = [](const code_frame& x, const code_frame& y) {
      return x.line == y.line && x.function == y.function && x.path == y.path;
    };
    if (caller == callers.front() && own > 0 && user.size() == 2 * own &&
        std::equal(user.begin(), user.begin() + static_cast<std::ptrdiff_t>(own),
                   user.begin() + static_cast<std::ptrdiff_t>(own), same))
      user.resize(own);
  }
  // A place in a file says more than a mere name, as of the C library's functions.
  const auto known = std::ranges::find_if(user, [](const code_frame& f) { return !f.file.empty(); });
  if (known != user.end()) user.erase(user.begin(), known);
  // Code that the compiler moved out of a loop of ours has lost its line; ours would only mislead.
  if (user.empty() && a.pc != 0) {
    const code_frame& f = frames(a.pc).front();
    user.push_back({f.engine && !a.function.empty() ? a.function : f.function, {}, 0, 0, {}, false});
  }
  a.stack.clear();
  if (user.empty()) return;
  a.file = user.front().file;
  a.line = user.front().line;
  a.column = user.front().column;
  // A kernel may be compiled as a function object, whose name says nothing: the one that was given stays.
  if (user.front().function != "operator()" || a.function.empty()) a.function = user.front().function;
  a.path = user.front().path;
  for (std::size_t i = 1; i < user.size(); ++i) a.stack.push_back({user[i].function, user[i].file, user[i].line});
}

}  // namespace simt
