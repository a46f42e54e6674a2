// SPDX-License-Identifier: Apache-2.0
// What a report calls a place in the code, and which of the functions inlined there are the user's.
#include "symbolize.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <unordered_map>

#include "debug_information.hpp"
#include "loaded_file.hpp"
#include "source_column.hpp"

#ifndef SIMT_SOURCE_ROOT
#define SIMT_SOURCE_ROOT ""
#endif

namespace simt {
namespace {

namespace fs = std::filesystem;

constexpr std::uintptr_t kLongestLookBack = 64, kLongestLookAround = 256;  // bytes of code

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

// What text_of_module() was told, by the loaded file.
struct named_text {
  std::string name, file;
};
// Debugging data has the compiler's folder in front of a name.
bool is_called(std::string_view path, std::string_view name) {
  return path == name ||
         (path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '/');
}
struct named_texts {
  std::mutex mutex;
  std::unordered_map<std::string, named_text> of;
};
named_texts& texts() {
  static auto* const all = new named_texts;  // reports are made while the program ends
  return *all;
}

}  // namespace

void text_of_module(std::string loaded_file, std::string name, std::string file) {
  const std::lock_guard lock(texts().mutex);
  texts().of[std::move(loaded_file)] = {std::move(name), std::move(file)};
}

struct symbolizer::state {
  symbolizer_options options;
  std::mutex mutex;
  std::unordered_map<std::uintptr_t, std::vector<code_frame>> known;

  // Where the text of a recorded file name lies, and how to call it.
  void place(code_frame& frame, const std::string& path, const std::string& directory) const {
    if (path.empty()) return;
    fs::path absolute = path;
    if (absolute.is_relative() && !directory.empty()) absolute = fs::path(directory) / absolute;
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

  std::vector<code_frame> look_up(std::uintptr_t return_address) const {
    const std::uintptr_t address = return_address - (return_address != 0 ? 1 : 0);
    std::vector<code_frame> out;
    for (debug_frame& f : debug_frames(address)) {
      code_frame& frame = out.emplace_back();
      frame.function = std::move(f.function);
      frame.line = f.line;
      frame.column = f.column;
      place(frame, f.path, f.directory);
      if (const std::lock_guard lock(texts().mutex); !texts().of.empty()) {
        const auto text = texts().of.find(file_at(address).path);
        if (text != texts().of.end() && is_called(f.path, text->second.name)) {
          frame.file = text->second.name;
          frame.path = text->second.file;
        }
      }
    }
    if (out.empty()) out.emplace_back();
    if (out.back().function.empty()) out.back().function = symbol_at(address);
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
  // The end of a function of ours into which the user's was inlined, or code that the compiler made of several calls of
  // it: the user's last code before it says more, else the nearest.
  const auto add_of_function = [&](std::uintptr_t address) {
    if (user.empty() && frames(address).back().function == frames(a.pc).back().function) add_user_frames(address);
  };
  for (std::uintptr_t back = 1; user.empty() && back <= kLongestLookBack && back < a.pc; ++back)
    add_of_function(a.pc - back);
  for (std::uintptr_t away = 1; user.empty() && a.pc > kLongestLookAround && away <= kLongestLookAround; ++away) {
    add_of_function(a.pc + away);
    add_of_function(a.pc - away);
  }
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
  a.column = column_of(user.front().column);
  // A kernel may be compiled as a function object, whose name says nothing: the one that was given stays.
  if (user.front().function != "operator()" || a.function.empty()) a.function = user.front().function;
  a.path = user.front().path;
  for (std::size_t i = 1; i < user.size(); ++i) a.stack.push_back({user[i].function, user[i].file, user[i].line});
}

}  // namespace simt
