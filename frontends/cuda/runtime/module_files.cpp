// SPDX-License-Identifier: Apache-2.0
// From what a program gives cuModuleLoad to a shared object of ours.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include <frontends/cuda/headers/simt_cuda/run_time_compiler.hpp>
#include <simt/session.hpp>

#include "modules.hpp"

namespace simt_cuda {
namespace {

constexpr std::string_view kEndings[] = {".fatbin", ".cubin", ".ptx"};

bool is_file(const std::string& name) {
  struct stat what;
  return stat(name.c_str(), &what) == 0 && S_ISREG(what.st_mode);
}

// What an image is that no simulator runs; null: nothing known.
const char* kind_of_gpu_code(const char* image) {
  constexpr unsigned char kFatbin[] = {0x50, 0xed, 0x55, 0xba}, kWrapped[] = {0xb1, 0x43, 0x62, 0x46};
  if (std::memcmp(image, "\177ELF", 4) == 0) return "a cubin";
  if (std::memcmp(image, kFatbin, sizeof kFatbin) == 0 || std::memcmp(image, kWrapped, sizeof kWrapped) == 0)
    return "a fat binary";
  for (const char* at = image; *at != 0 && at - image < 8192; ++at)
    if (std::strncmp(at, ".version", 8) == 0) return "PTX";
  return nullptr;
}

constexpr const char* kAdvice =
    "; the simulator runs no code of a GPU: make the module with `simrun FILE.cu -ptx -o FILE.ptx` (or -cubin, "
    "-fatbin), or put its source FILE.cu beside the program's";

found_object compiled(const std::vector<std::string>& words, const std::string& folder) {
  found_object found;
  const bool check = simt::backend::variant() == "check";
  const compilation c = compile_module(words, folder);
  found.object = check ? c.made.check_object : c.made.sim_object;
  if (c.exit_code == 0 && !found.object.empty())
    found.result = CUDA_SUCCESS;
  else
    found = {CUDA_ERROR_INVALID_SOURCE, {}, c.messages};
  return found;
}

std::string stem_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  const std::string name = file.substr(slash == std::string::npos ? 0 : slash + 1);
  for (const std::string_view ending : kEndings)
    if (name.size() > ending.size() && name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return {};
}

}  // namespace

std::string source_of(const std::string& file) {
  std::string stem = stem_of(file);
  if (stem.empty()) return {};
  const std::size_t slash = file.rfind('/');
  std::vector<std::string> stems = {stem};
  for (const std::string_view bits : {"64", "_64", "32"})  // nvcc's makefiles of old named the size of pointers
    if (stem.ends_with(bits)) stems.push_back(stem.substr(0, stem.size() - bits.size()));
  for (const std::string& folder :
       {slash == std::string::npos ? std::string("./") : file.substr(0, slash + 1), source_folder() + "/"})
    for (const std::string& name : stems)
      for (const char* ending : {".cu", "_kernel.cu"})
        if (is_file(folder + name + ending)) return folder + name + ending;
  return {};
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

found_object object_of_image(const void* image) {
  const char* const text = static_cast<const char*>(image);
  if (text == nullptr) return {CUDA_ERROR_INVALID_VALUE, {}, {}};
  simt::cuda_source::module_file m;
  if (read_module(text, m)) {
    const bool check = simt::backend::variant() == "check";
    const std::string& object = check ? m.check_object : m.sim_object;
    if (!object.empty() && is_file(object)) return {CUDA_SUCCESS, object, {}};
    return compiled(m.words, m.folder);
  }
  const char* const kind = kind_of_gpu_code(text);
  if (kind == nullptr)
    return {CUDA_ERROR_INVALID_IMAGE, {}, "the image is neither a module made by simrun nor GPU code"};
  return {CUDA_ERROR_NO_BINARY_FOR_GPU, {}, std::string("the image is ") + kind + kAdvice};
}

found_object object_of_file(const std::string& file) {
  std::string text;
  if (is_file(file)) {
    text = text_of(file);
    simt::cuda_source::module_file m;
    if (read_module(text.c_str(), m)) return object_of_image(text.c_str());
  }
  if (const std::string source = source_of(file); !source.empty()) return compiled({source}, {});
  if (text.empty())
    return {CUDA_ERROR_FILE_NOT_FOUND, {}, file + ": no such file, and no source beside the program's" + kAdvice};
  text.append(16, '\0');
  found_object found = object_of_image(text.c_str());
  found.why = file + ": " + found.why;
  return found;
}

// Programs read modules themselves and give cuModuleLoadData what they read.
std::FILE* open_module_or_file(const char* name, const char* mode) {
  using open_function = std::FILE* (*)(const char*, const char*);
  static const auto open = reinterpret_cast<open_function>(dlsym(RTLD_NEXT, "fopen"));
  std::FILE* const file = open(name, mode);
  const int error = errno;
  if (file != nullptr || error != ENOENT || name == nullptr || mode == nullptr || mode[0] != 'r') return file;
  const std::string source = source_of(name);
  errno = error;
  if (source.empty()) return nullptr;
  static auto* const made = new std::map<std::string, std::string>;  // text by source; empty: it cannot be compiled
  const auto [it, fresh] = made->try_emplace(source);
  if (fresh) {
    const compilation c = compile_module({source}, {});
    if (c.exit_code == 0)
      it->second = write_module(c.made);
    else
      complain_of_module(c.messages);
  }
  std::FILE* const text = it->second.empty() ? nullptr : std::tmpfile();
  if (text == nullptr) {
    errno = ENOENT;
    return nullptr;
  }
  std::fputs(it->second.c_str(), text);
  std::rewind(text);
  return text;
}

}  // namespace simt_cuda
