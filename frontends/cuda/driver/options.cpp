// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "source_objects.hpp"

namespace simt::cuda_source {
namespace {

using words = std::vector<std::string>;
using enum option_value;
using enum option_use;

constexpr std::array kSourceEndings = {".cu", ".cpp", ".cc", ".cxx", ".c"};
constexpr std::array kObjectEndings = {".o", ".a", ".so"};
// Their place is taken by the simulator's runtime.
constexpr std::array kLibrariesOfNvidia = {
    "cudart",          "cudart_static",   "cuda",         "cudadevrt",     "cudadevrt_static", "nvToolsExt",
    "nvrtc",           "nvJitLink",       "curand",       "curand_static", "cublas",           "cublas_static",
    "cublasLt",        "cufft",           "cufft_static", "cusparse",      "cusparse_static",  "cusolver",
    "cusolver_static", "cublasLt_static", "culibos",      "nvidia-ml",     "cufftw",           "cufftw_static"};
constexpr std::array kStandardsBefore20 = {"03", "98", "11", "14", "17", "0x", "1y", "1z"};

template <std::size_t N>
bool ends_with_any(std::string_view word, const std::array<const char*, N>& endings) {
  return std::ranges::any_of(endings, [&](const char* e) { return word.ends_with(e); });
}
template <std::size_t N>
bool is_any(std::string_view word, const std::array<const char*, N>& of) {
  return std::ranges::find(of, word) != of.end();
}

bool may_be_spelled(const nvcc_option& o, std::string_view spelling, std::string_view word) {
  if (spelling.empty() || !word.starts_with(spelling)) return false;
  const std::string_view rest = word.substr(spelling.size());
  return rest.empty() || o.value == attached || o.value == either || (o.value == separate && rest.front() == '=');
}

// The row of a word, and how long the option's name is in it. The longest name wins: -lineinfo is no library.
struct matched_option {
  const nvcc_option* option = nullptr;
  std::size_t length = 0;
};
matched_option match(std::string_view word) {
  matched_option best;
  for (const nvcc_option& o : nvcc_options())
    for (const std::string_view spelling : {o.name, o.long_name})
      if (spelling.size() > best.length && may_be_spelled(o, spelling, word)) best = {&o, spelling.size()};
  return best;
}

// nvcc's lists for other programs: words with commas or spaces between.
words split_list(const std::string& list) {
  words all;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find_first_of(", ", at), list.size());
    if (end > at) all.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

bool is_for_linker(const std::string& option) {
  return option.starts_with("-l") || option.starts_with("-L") || option.starts_with("-Wl,");
}

// Host code runs OpenMP's constructs with a team of one thread (headers/omp.h): no compiler's library is needed.
bool is_openmp(std::string_view option) { return option == "-fopenmp" || option == "/openmp"; }

bool is_old_standard(std::string_view standard) {
  for (const std::string_view dialect : {"c++", "gnu++"})
    if (standard.starts_with(dialect)) return is_any(standard.substr(dialect.size()), kStandardsBefore20);
  return false;
}

// c99, gnu11 and so on: sources in C are taken as gnu17, which has them all.
bool is_standard_of_c(std::string_view standard) {
  for (const std::string_view dialect : {"c", "gnu"})
    if (standard.starts_with(dialect) && standard.size() > dialect.size() && standard[dialect.size()] != '+')
      return true;
  return false;
}

// A folder of NVIDIA's Toolkit: its headers would hide the simulator's.
bool is_of_toolkit(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::exists(folder / "cuda_runtime.h", none) && std::filesystem::exists(folder / "crt", none);
}

// What a linker that looks into these folders takes for -lNAME; empty: nothing.
std::string library_in(const words& folders, const std::string& name) {
  std::error_code none;
  const words files = name.starts_with(':') ? words{name.substr(1)} : words{"lib" + name + ".so", "lib" + name + ".a"};
  for (const std::filesystem::path folder : folders)
    for (const std::string& file : files)
      if (std::filesystem::is_regular_file(folder / file, none)) return (folder / file).string();
  return {};
}

class reader {
 public:
  source_command read(const words& all) {
    const auto end = std::ranges::find(all, "--");
    if (end != all.end()) command_.arguments.assign(end + 1, all.end());
    for (auto at = all.begin(); at != end && command_.wrong.empty();) at = read_word(at, end);
    const bool of_program = command_.wants_dependencies && !command_.wants_objects;
    if (of_program && command_.dependencies.empty()) command_.dependencies = command_.output + ".d";
    if (of_program && command_.output.empty() && command_.wrong.empty())
      command_.wrong = "-MD and -MF need -o FILE: they say what FILE was built from";
    if (command_.build.module) check_module();
    if (command_.wants_objects) check_objects();
    if (command_.build.shared) check_shared_library();
    if (command_.wants_archive) check_archive();
    if (command_.wants_device_link) check_device_link();
    if (!command_.wants_archive) find_libraries();
    if (command_.output.empty()) find_shared_libraries();
    return std::move(command_);
  }

 private:
  using place = words::const_iterator;

  void check_module() {
    if (!command_.wrong.empty()) return;
    const words& sources = command_.build.sources;
    // Linked device code of several files (cuLinkAddData, nvJitLink) has -rdc=true.
    if (sources.empty() || (sources.size() > 1 && !(command_.build.linked && !command_.output.empty())))
      command_.wrong = fmt::format("-{} makes a module of one source file", command_.module_kind);
    else if (command_.output.empty())
      command_.output = std::filesystem::path(sources[0]).stem().string() + "." + command_.module_kind;
  }

  // What -l means where a folder of -L has it: it may hold `simrun -c`'s objects. A shared library takes the option's
  // place, for it is not linked where its objects are.
  void find_libraries() {
    const words all = std::exchange(command_.build.link_options, {});
    words folders;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].starts_with("-L"))
        folders.push_back(all[i] == "-L" && i + 1 < all.size() ? all[i + 1] : all[i].substr(2));
    words& kept = command_.build.link_options;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool in_two = all[i] == "-l" && i + 1 < all.size();
      const std::string file =
          !all[i].starts_with("-l") ? "" : library_in(folders, in_two ? all[i + 1] : all[i].substr(2));
      const bool holds_objects = file.ends_with(".so") && holds_source_objects(file);
      if (holds_objects || file.ends_with(".a")) command_.build.objects.push_back(file);
      if (holds_objects)
        kept.push_back(file);
      else
        kept.insert(kept.end(), all.begin() + i, all.begin() + i + (in_two ? 2 : 1));
      if (in_two) ++i;
    }
  }

  void check_shared_library() {
    if (!command_.wrong.empty()) return;
    if (command_.wants_objects)
      command_.build.shared = false;  // whoever links makes the library
    else if (command_.build.module)
      command_.wrong = fmt::format("-shared makes a library, -{} a module: ask for one of them", command_.module_kind);
    else if (command_.output.empty())
      command_.wrong = "-shared needs -o FILE: the library to write";
  }

  // What makes objects makes no archive of them, as nvcc has it.
  void check_archive() {
    if (!command_.wrong.empty()) return;
    if (command_.wants_objects || command_.build.module || command_.build.shared || command_.wants_device_link)
      command_.wrong = "-lib makes an archive, and another option asks for another file: ask for one of them";
    else if (command_.output.empty())
      command_.output = "a.a";
  }

  void check_device_link() {
    if (!command_.wrong.empty()) return;
    if (command_.wants_objects || command_.build.module || command_.build.shared)
      command_.wrong = "-dlink makes an object file, and another option asks for another file: ask for one of them";
    else if (!command_.build.sources.empty())
      command_.wrong = fmt::format("-dlink takes object files, and {} is a source: compile it with -dc first",
                                   command_.build.sources.front());
    else if (command_.output.empty())
      command_.output = "a_dlink.o";
  }

  // A program that is run at once finds them where they were named.
  void find_shared_libraries() {
    for (const std::string& file : command_.build.objects)
      if (file.ends_with(".so"))
        command_.build.link_options.push_back("-Wl,-rpath," + std::filesystem::absolute(file).parent_path().string());
  }

  void check_objects() {
    if (!command_.wrong.empty()) return;
    if (command_.build.module)
      command_.wrong = fmt::format("-c makes an object file, -{} a module: ask for one of them", command_.module_kind);
    else if (command_.build.sources.empty())
      command_.wrong = "-c makes an object file of a source file, and none is named";
    else if (command_.build.sources.size() > 1 && !command_.output.empty())
      command_.wrong = "-c with -o takes one source file";
  }

  // Returns where the next word is to be read.
  place read_word(place at, place end) {
    if (!at->starts_with('-')) {
      if (ends_with_any(*at, kSourceEndings)) {
        if (std::ranges::find(command_.build.sources, *at) != command_.build.sources.end())
          command_.wrong = fmt::format("{} is named twice", *at);
        command_.build.sources.push_back(*at);
        command_.as_typed.push_back(*at);
      } else if (ends_with_any(*at, kObjectEndings)) {
        command_.build.link_options.push_back(*at);
        command_.build.objects.push_back(*at);
        command_.as_typed.push_back(*at);
      } else {
        command_.for_tool.push_back(*at);
      }
      return at + 1;
    }
    const auto [option, length] = match(*at);
    if (option == nullptr) {
      command_.for_tool.push_back(*at);
      return at + 1;
    }
    const bool in_next_word = at->size() == length && (option->value == separate || option->value == either);
    if (in_next_word && at + 1 == end) {
      command_.wrong = fmt::format("{} takes a value: {}", *at, option->what);
      return end;
    }
    const place next = at + (in_next_word ? 2 : 1);
    std::string value = in_next_word ? at[1] : at->substr(length);
    const bool with_equals = option->value == separate || (option->value == either && at->starts_with("--"));
    if (with_equals && !in_next_word) value.erase(0, value.starts_with('='));
    use(*option, *at, value, words(at, next));
    return next;
  }

  void use(const nvcc_option& option, const std::string& word, const std::string& value, const words& typed) {
    build_request& b = command_.build;
    const auto append = [](words& to, const words& more) { to.insert(to.end(), more.begin(), more.end()); };
    // As the host compiler takes it: by the short name, without a = between name and value.
    const bool in_two = option.value == separate || (option.value == either && word.starts_with("--"));
    const words given = in_two                 ? words{std::string(option.name), value}
                        : option.value == none ? words{std::string(option.name)}
                                               : typed;
    switch (option.use) {
      case compile:
        if ((option.name == "-I" || option.name == "-isystem") && is_of_toolkit(value)) return;
        if (is_openmp(word)) return;
        append(b.options, given);
        break;
      case link:
        append(b.link_options, given);
        break;
      case library:
        if (is_any(value, kLibrariesOfNvidia)) return;
        append(b.link_options, given);
        break;
      case default_stream:
        if (value != "per-thread" && value != "legacy" && value != "null")
          command_.wrong = fmt::format("{} takes legacy, null or per-thread, not '{}'", option.long_name, value);
        if (value == "per-thread") b.options.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
      case to_compiler:
        for (const std::string& o : split_list(value))
          if (!is_openmp(o)) (is_for_linker(o) ? b.link_options : b.options).push_back(o);
        break;
      case to_linker:
        for (const std::string& o : split_list(value)) b.link_options.push_back("-Wl," + o);
        break;
      case standard:  // our headers need C++20, which takes older code but for names that came with it
        if (!is_old_standard(value) && !is_standard_of_c(value))
          append(b.options, {"-std=" + value, "-D_SIMT_CPP20_NAMES=1"});
        break;
      case language:
        if (value != "cu") command_.wrong = fmt::format("{} takes cu, not '{}'", word, value);
        b.all_are_cuda = true;
        break;
      case output:
        command_.output = value;
        return;
      case dependencies:
        command_.wants_dependencies = true;
        if (!value.empty()) command_.dependencies = value;
        return;
      case target:
        command_.target = value;
        return;
      case module:
        b.module = true;
        command_.module_kind = option.name.substr(1);
        return;
      case object:
        command_.wants_objects = true;
        if (option.name == "-dc") b.linked = true;
        return;
      case archive:
        command_.wants_archive = true;
        return;
      case device_link:
        command_.wants_device_link = true;
        return;
      case refuse:
        command_.wrong = fmt::format("{} of nvcc is not supported: {}", word, option.what);
        return;
      case shared:
        b.shared = true;
        break;
      case linked:
        b.linked = value != "false";
        break;
      case relaxed:
        b.relaxed_constexpr = true;
        break;
      case ignore:
        return;
    }
    append(command_.as_typed, typed);
  }

  source_command command_;
};

}  // namespace

const std::string& subject_of(const source_command& c) {
  return c.build.sources.empty() ? c.build.objects.front() : c.build.sources.front();
}

std::string object_file_of(const source_command& c, const std::string& source) {
  return c.output.empty() ? std::filesystem::path(source).stem().string() + ".o" : c.output;
}

source_command read_command_line(const words& all) { return reader().read(all); }

}  // namespace simt::cuda_source
