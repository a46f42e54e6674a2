// SPDX-License-Identifier: Apache-2.0
#include "host_compiler.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <string_view>

#include "exported_symbols.hpp"

namespace simt::cuda_source {
namespace {

using words = std::vector<std::string>;

namespace fs = std::filesystem;

// As a string of C++.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void append(words& to, const words& more) { to.insert(to.end(), more.begin(), more.end()); }

// The user's options in two: macros, as lines of a header, and what stays on the command line.
struct user_options {
  std::string macros;
  words others;
};

user_options without_macros(const words& options) {
  user_options r;
  std::set<std::string> defined;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    const bool define = word.starts_with("-D"), undefine = word.starts_with("-U");
    const bool in_next_word = word.size() == 2 && i + 1 < options.size();
    std::string definition;
    if (define || undefine) definition = in_next_word ? options[i + 1] : word.substr(2);
    if (definition.empty() || definition.front() == '_' || word == "-U_FORTIFY_SOURCE" ||
        definition.starts_with("CUDA_API_PER_THREAD_DEFAULT_STREAM")) {
      r.others.push_back(word);
      continue;
    }
    if (in_next_word) ++i;
    const std::size_t equals = definition.find('=');
    const std::string name = definition.substr(0, definition.find_first_of("=("));
    if (define && !defined.insert(name).second) r.macros += "#undef " + name + "\n";  // the last one counts
    if (undefine)
      r.macros += "#undef " + definition + "\n";
    else if (equals == std::string::npos)
      r.macros += "#define " + definition + " 1\n";
    else
      r.macros += "#define " + definition.substr(0, equals) + " " + definition.substr(equals + 1) + "\n";
  }
  return r;
}

// Before C++20 u8"" is made of char; nvcc takes `register` with a warning.
constexpr std::array<const char*, 2> kOlderLanguage = {"-fno-char8_t", "-Wno-register"};

words own_words(const tool_chain& t, const build_request& r) {
  words all = {t.compiler};
  append(all, t.flags);
  if (!asks_for_cpp20(r)) all.insert(all.end(), kOlderLanguage.begin(), kOlderLanguage.end());
  append(all, r.check ? t.check_flags : t.sim_flags);
  const bool for_library =
      r.shared || std::ranges::any_of(r.options, [](const std::string& o) { return o == "-fPIC" || o == "-fpic"; });
  if (r.module || for_library) append(all, {"-fPIC", "-fvisibility=default"});  // others look up its names
  if (for_library) all.emplace_back("-fno-semantic-interposition");             // where the compiler does so already
  if (r.profile) all.emplace_back("-fno-unroll-loops");
  if (r.profile && !t.plugin.empty()) {
    all.emplace_back("-DSIMT_PROFILE=1");
    // An instruction of the source stands in the code once, so that all lanes of a warp meet at it.
    for (const char* option : {"-tail-dup-placement=false", "-disable-tail-duplicate", "-disable-early-taildup",
                               "-enable-tail-merge=false", "-disable-block-placement"})
      append(all, {"-mllvm", option});
  }
  if (r.for_debugger) append(all, {"-DSIMT_DEBUG=1", "-USIMT_LOOPS"});
  return all;
}

// What is nearly always a defect and says nothing of code that is ours (clang's names).
constexpr std::array kWarnings = {"-Wno-everything",
                                  "-Wreturn-type",
                                  "-Wparentheses",
                                  "-Wno-parentheses-equality",  // they are often those of a macro
                                  "-Wformat",
                                  "-Wuninitialized",
                                  "-Wno-sometimes-uninitialized",  // what a shuffle takes from the one lane that set it
                                  "-Warray-bounds",
                                  "-Wdivision-by-zero",
                                  "-Wshift-count-overflow",
                                  "-Wsizeof-pointer-memaccess",
                                  "-Winfinite-recursion",
                                  "-Wreturn-stack-address",
                                  "-Wshift-count-negative",
                                  "-Wunused-comparison",
                                  "-Wself-assign",
                                  "-Wself-move",
                                  "-Wlogical-not-parentheses",
                                  "-Wunsequenced",
                                  "-Wstring-compare",
                                  "-Wsizeof-array-argument",
                                  "-Wsizeof-array-div",
                                  "-Wmemset-transposed-args",
                                  "-Wdangling"};

// Without, only those above are given, and by g++ none: what it would say by itself is often about code that is ours.
bool asks_for_warnings(const build_request& r) {
  return std::ranges::any_of(r.options, [](const std::string& w) {
    return w.starts_with("-W") && !w.starts_with("-Wno-") && !w.starts_with("-Wl,") && !w.starts_with("-Werror");
  });
}

// C has no standard of C++: what the line says of one is for the other sources.
void drop_standard_of_cpp(words& all) {
  std::erase_if(all, [](const std::string& w) {
    return w.starts_with("-std=c++") || w.starts_with("-std=gnu++") || std::ranges::count(kOlderLanguage, w) != 0;
  });
}

}  // namespace

bool asks_for_cpp20(const build_request& r) {
  return std::ranges::find(r.options, "-D_SIMT_CPP20_NAMES=1") != r.options.end();
}

source_language language_of(const build_request& r, const std::string& source) {
  if (r.all_are_cuda || source.ends_with(".cu")) return source_language::cuda;
  return source.ends_with(".c") ? source_language::c : source_language::host;
}

const words& libraries_of(const tool_chain& t, const build_request& r) {
  return r.check ? t.check_libraries : t.sim_libraries;
}

words all_libraries_of(const tool_chain& t, const build_request& r) {
  words all = libraries_of(t, r);
  if (r.check) all.push_back(t.check_runtime);
  return all;
}

words compiler_words(const tool_chain& t, const build_request& r) {
  words all = own_words(t, r);
  append(all, r.options);
  if (r.for_debugger) append(all, {"-O0", "-g"});
  return all;
}

std::string macros_of(const build_request& r) { return without_macros(r.options).macros; }

process_result run_preprocessor(const tool_chain& t, const build_request& r, const std::string& source,
                                source_language language, const std::string& macros, bool host_pass) {
  words all = own_words(t, r);
  if (host_pass) all.emplace_back("-DSIMT_HOST_PASS=1");
  append(all, without_macros(r.options).others);
  for (const std::string& folder : t.includes) append(all, {"-isystem", folder});
  append(all, {"-isystem", t.headers, "-idirafter", t.headers + "/samples"});
  if (language == source_language::cuda) append(all, {"-include", "cuda_runtime.h"});
  if (language == source_language::cuda && r.module) append(all, {"-include", "simt_cuda/module_kernels.hpp"});
  // For cuda.h and nvrtc.h: who compiles at run time, and where sources lie that a program may ask for.
  std::error_code failed;
  append(all, {"-DSIMT_CUDA_TOOL=" + quoted(fs::read_symlink("/proc/self/exe", failed).string()),
               "-DSIMT_CUDA_FOLDER=" + quoted(fs::absolute(source).parent_path().string())});
  if (language == source_language::host)
    append(all, {"-D_SIMT_HOST_SOURCE=1", "-include", "simt_cuda/host_source.hpp"});
  if (language == source_language::c_with_cuda)
    append(all, {"-D_SIMT_HOST_SOURCE=1", "-include", "simt_cuda/c_source.hpp"});
  if (!macros.empty()) append(all, {"-include", macros});
  // Macros in #pragma unroll are the preprocessor's, as with nvcc; clang's leaves them alone without this.
  if (language == source_language::cuda)
    append(all, {"-fms-extensions", "-U_WCHAR_T_DEFINED", "-U_NATIVE_WCHAR_T_DEFINED"});
  append(all, {"-E", "-x", language == source_language::c ? "c" : "c++", source});
  if (language == source_language::c) drop_standard_of_cpp(all);
  return run_process(all);
}

words words_after_preprocessing(const tool_chain& t, const build_request& r) {
  build_request rest = r;
  rest.options.clear();
  const words options = without_macros(r.options).others;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    const bool folder = word.starts_with("-I") || word == "-isystem";
    if (!folder) rest.options.push_back(word);
    if (word == "-I" || word == "-isystem") ++i;
  }
  return compiler_words(t, rest);
}

words words_of_headers(const tool_chain& t, const build_request& r) {
  build_request rest = r;
  const auto is = [](const std::string& word, std::initializer_list<const char*> some) {
    return std::ranges::find(some, word) != some.end();
  };
  // -O0, -Os and the like define other macros.
  const bool usual = std::ranges::none_of(rest.options, [&](const std::string& w) {
    return w.starts_with("-O") && !is(w, {"-O1", "-O2", "-O3"});
  });
  std::erase_if(rest.options, [&](const std::string& w) {
    const bool handed_on = w.starts_with("-Wp,") || w.starts_with("-Wa,") || w.starts_with("-Wl,");
    return (usual && is(w, {"-O1", "-O2", "-O3"})) || is(w, {"-w", "-g", "-g1", "-g2", "-g3"}) ||
           (w.starts_with("-W") && !handed_on);
  });
  return words_after_preprocessing(t, rest);
}

process_result run_precompiler(const tool_chain& t, const build_request& r, const std::string& from,
                               const std::string& to, const std::string& after) {
  words all = words_of_headers(t, r);
  if (!after.empty()) append(all, {"-Xclang", "-include-pch", "-Xclang", after});
  append(all, {"-w", "-x", "c++-cpp-output", "-fsyntax-only", "-Xclang", "-emit-pch", "-fpch-instantiate-templates",
               "-Xclang", "-fno-pch-timestamp", from, "-Xclang", "-o", "-Xclang", to});
  return run_process(all);
}

process_result run_compiler(const tool_chain& t, const build_request& r, const std::string& from, const std::string& to,
                            source_language language, const std::string& headers, const std::string& part) {
  words all = headers.empty() ? compiler_words(t, r) : words_after_preprocessing(t, r);
  if (!headers.empty()) append(all, {"-Xclang", "-include-pch", "-Xclang", headers});
  const bool is_c = language == source_language::c;
  if (is_c) drop_standard_of_cpp(all);
  if (!t.plugin.empty() && !is_c && !r.for_debugger) all.push_back("-fpass-plugin=" + t.plugin);
  if (!asks_for_warnings(r)) {
    if (t.plugin.empty())
      all.emplace_back("-w");
    else  // in front: the user's own -w and -Wno-... have the last word
      all.insert(all.begin() + 1, kWarnings.begin(), kWarnings.end());
  } else if (!t.plugin.empty()) {  // options for a preprocessor that has run are nothing that a user can change
    all.insert(all.begin() + 1, "-Wno-unused-command-line-argument");
  }
  append(all, {"-Wno-error", "-x", is_c ? "cpp-output" : "c++-cpp-output", "-c", from, "-o", to});
  if (!part.empty()) all.insert(all.begin(), {"/usr/bin/env", "SIMT_PART_OF_SOURCE=" + part});
  return run_process(all);
}

words libraries_behind(const tool_chain& t, const std::set<std::string>& files_read) {
  struct library {
    const char* header;  // in simt_cuda/libraries
    words link;
  };
  static const library kLibraries[] = {
      {"fftw_names.hpp", {"-lfftw3f", "-lfftw3"}}, {"lapack.hpp", {"-llapacke"}}, {"host_blas.hpp", {"-lopenblas"}}};
  std::set<std::string> read;
  for (const std::string& file : files_read)
    if (file.starts_with(t.headers)) read.insert(std::filesystem::path(file).lexically_normal().string());
  words all;
  for (const library& l : kLibraries)
    if (read.count(t.headers + "/simt_cuda/libraries/" + l.header) != 0) append(all, l.link);
  return all;
}

process_result run_linker(const tool_chain& t, const build_request& r, const words& objects, const std::string& to,
                          const std::string& exports) {
  words all = {t.compiler, "-o", to, "-pthread"};
  if (r.module) {  // the runtime is that of the program that loads it
    append(all, {"-shared", "-Wl,-Bsymbolic"});
    if (r.check) all.emplace_back("-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove,--wrap=pthread_mutex_unlock");
    append(all, objects);
    return run_process(all);
  }
  if (r.shared) append(all, {"-shared", "-Wl,-Bsymbolic"});
  const auto library = [&](const std::string& file) { return exports.empty() ? file : exported_copy(file, exports); };
  if (!exports.empty()) all.emplace_back("-rdynamic");
  if (r.check)
    append(all, {"-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove,--wrap=pthread_mutex_unlock,--wrap=pthread_create",
                 "-Wl,--wrap=_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
                 "-Wl,--whole-archive", library(t.check_runtime), "-Wl,--no-whole-archive"});
  append(all, objects);
  append(all, r.link_options);
  if (r.shared)  // the runtime is the library's own
    for (words own = all_libraries_of(t, r); const std::string& file : own)
      all.push_back("-Wl,--exclude-libs," + std::filesystem::path(file).filename().string());
  all.emplace_back("-Wl,--start-group");
  for (const std::string& file : libraries_of(t, r)) all.push_back(library(file));
  all.emplace_back("-Wl,--end-group");
  append(all, t.libraries);
  return run_process(all);
}

}  // namespace simt::cuda_source
