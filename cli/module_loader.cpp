// SPDX-License-Identifier: Apache-2.0
// dlopen and its errors in words.
#include "module_loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "terminal.hpp"

namespace simt::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kVariants = {"sim", "check", "cuda", "debug"};
constexpr std::string_view kBuiltIn = "libkernels";

std::vector<fs::path> module_directories() {
  std::vector<fs::path> out;
  if (const char* named = std::getenv("SIMT_MODULE_DIR"); named != nullptr && *named != '\0') out.emplace_back(named);
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) out.push_back((self.parent_path() / "../lib/simt").lexically_normal());
#ifdef SIMT_BUILD_MODULE_DIR
  out.emplace_back(SIMT_BUILD_MODULE_DIR);
#endif
  return out;
}

// The path without ".<variant>.so", ".so" or nothing taken off.
std::string stem_of(const std::string& file) {
  for (const std::string_view variant : kVariants) {
    const std::string ending = fmt::format(".{}.so", variant);
    if (file.ends_with(ending)) return file.substr(0, file.size() - ending.size());
  }
  return file.ends_with(".so") ? file.substr(0, file.size() - 3) : file;
}

std::vector<fs::path> candidates(const std::string& variant, const std::string& user_file) {
  const std::string ending = fmt::format(".{}.so", variant);
  std::vector<fs::path> out;
  if (user_file.empty()) {
    for (const fs::path& directory : module_directories()) out.push_back(directory / (std::string(kBuiltIn) + ending));
    return out;
  }
  const fs::path stem = stem_of(user_file);
  out.push_back(stem.string() + ending);
  out.push_back(stem.parent_path() / ("lib" + stem.filename().string() + ending));
  if (user_file.ends_with(".so") && stem.string() + ".so" == user_file)
    out.emplace_back(user_file);  // no variant in its name
  return out;
}

bool has_other_variant(const std::string& user_file) {
  return std::ranges::any_of(kVariants,
                             [&](std::string_view v) { return !module_path(std::string(v), user_file).empty(); });
}

std::string missing(const std::string& variant, const std::string& user_file) {
  const bool others = has_other_variant(user_file);
  if (!user_file.empty() && !others) {
    return fmt::format("--module: there is no module at {} (looked for {}); build one with simt_add_kernels", user_file,
                       candidates(variant, user_file).front().string());
  }
  const std::string where = user_file.empty() ? "this build" : user_file;
  if (variant == "cuda") {
    return fmt::format("{} has no cuda variant; configure on a machine with nvcc, with -DSIMT_BUILD_CUDA=ON", where);
  }
  if (variant == "debug")
    return fmt::format("{} has no debug variant, which `simrun debug` runs: {}", where,
                       user_file.empty()
                           ? "./simrun of the source tree builds it for its programs"
                           : "simt_add_kernels(... VARIANTS sim check debug) makes one (docs/debugging.md)");
  if (others)
    return fmt::format(
        "{} has no {} variant; build it with -DSIMT_BUILD_SIM=ON (needs oneTBB, libdw and Boost.Context)", where,
        variant);
  std::string looked;
  for (const fs::path& p : candidates(variant, user_file)) looked += (looked.empty() ? "" : ", ") + p.string();
  return fmt::format("no kernels found (looked for {}); build the project, or name their directory in SIMT_MODULE_DIR",
                     looked);
}

}  // namespace

std::string module_path(const std::string& variant, const std::string& user_file) {
  std::error_code failed;
  for (const fs::path& p : candidates(variant, user_file)) {
    if (fs::is_regular_file(p, failed)) return fs::absolute(p, failed).lexically_normal().string();
  }
  return {};
}

module& open_module(const std::string& variant, const std::string& user_file) {
  static std::map<std::string, module*> opened;
  const std::string path = module_path(variant, user_file);
  if (path.empty()) {
    const bool wrong_path = !user_file.empty() && !has_other_variant(user_file);
    throw module_error(missing(variant, user_file), wrong_path ? kExitUsage : kExitUnavailable);
  }
  if (const auto known = opened.find(path); known != opened.end()) return *known->second;
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    throw module_error(fmt::format("cannot open {}: {}", path, why != nullptr ? why : "unknown reason"),
                       variant == "cuda" ? kExitUnavailable : kExitUsage);
  }
  auto* entry = reinterpret_cast<module* (*)()>(::dlsym(handle, "simt_module"));
  module* loaded = entry != nullptr ? entry() : nullptr;
  if (loaded == nullptr) {
    throw module_error(
        fmt::format("{} is no module of kernels: it has no simt_module(); build it with simt_add_kernels", path),
        kExitUsage);
  }
  if (loaded->abi() != module_abi) {
    throw module_error(
        fmt::format("{} speaks version {} of the module interface and this simrun version {}; build both "
                    "from the same release",
                    path, loaded->abi(), module_abi),
        kExitUsage);
  }
  const std::string compiled_as = variant == "debug" ? "sim" : variant;
  if (loaded->variant() != compiled_as) {
    throw module_error(fmt::format("{} is a {} module, and a {} one is needed here; name a file that ends in .{}.so",
                                   path, loaded->variant(), compiled_as, variant),
                       kExitUsage);
  }
  opened[path] = loaded;
  return *loaded;
}

}  // namespace simt::cli
