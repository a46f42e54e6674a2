// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace simt::cuda_source {
namespace {

using words = std::vector<std::string>;
using enum option_value;
using enum option_use;

constexpr nvcc_option kOptions[] = {
    // the preprocessor and the compiler
    {"-I", "--include-path", either, compile, "a folder of headers"},
    {"-D", "--define-macro", either, compile, "a macro"},
    {"-U", "--undefine-macro", either, compile, "a macro that is taken back"},
    {"-isystem", "--system-include", separate, compile, "a folder of headers that are not warned about"},
    {"-include", "--pre-include", separate, compile, "a header that is read first"},
    {"-O", "", attached, compile, "optimization"},
    {"--optimize", "", separate, ignore, "optimization; simrun's own is the highest"},
    {"-W", "", attached, compile, "warnings"},
    {"-f", "", attached, compile, "a feature of the compiler"},
    {"-m", "", attached, compile, "the machine"},
    {"--machine", "", separate, ignore, "32 or 64 bits"},
    {"-g", "--debug", none, compile, "debug information"},
    {"-w", "--disable-warnings", none, compile, "no warnings"},
    {"-pthread", "", none, compile, "threads"},
    {"-std", "--std", separate, standard, "the language's version"},
    {"-x", "--x", separate, language, "the sources' language"},
    {"-Xcompiler", "--compiler-options", separate, to_compiler, "options for the host compiler"},
    {"-default-stream", "--default-stream", separate, default_stream, "which stream launches without one take"},
    // the linker
    {"-l", "--library", either, library, "a library"},
    {"-L", "--library-path", either, link, "a folder of libraries"},
    {"-Xlinker", "--linker-options", separate, to_linker, "options for the linker"},
    {"-o", "--output-file", separate, output, "the file to write"},
    {"-MD", "--generate-dependencies-with-compile", none, dependencies, "a list for make of the files that were read"},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", none, dependencies, "the same"},
    {"-MF", "--dependency-output", separate, dependencies, "the file that this list goes to"},
    {"-MT", "--dependency-target-name", separate, target, "what this list belongs to"},
    {"-M", "--generate-dependencies", none, refuse, "-MD writes the list beside what is compiled"},
    {"-MM", "--generate-nonsystem-dependencies", none, refuse, "-MMD writes the list beside what is compiled"},
    {"-MP", "--generate-dependency-targets", none, ignore, "a rule in that list for each header"},
    // code for a GPU
    {"-arch", "--gpu-architecture", separate, ignore, "the GPU to compile for"},
    {"-code", "--gpu-code", separate, ignore, "the GPU to make code for"},
    {"-gencode", "--generate-code", separate, ignore, "GPUs to compile for"},
    {"-maxrregcount", "--maxrregcount", separate, ignore, "how many registers a thread may have"},
    {"-Xptxas", "--ptxas-options", separate, ignore, "options for NVIDIA's assembler"},
    {"-Xnvlink", "--nvlink-options", separate, ignore, "options for NVIDIA's linker"},
    {"-rdc", "--relocatable-device-code", separate, linked, "device code that is linked"},
    {"-dc", "--device-c", none, object, "object files whose device code is linked"},
    {"-dlink", "--device-link", none, refuse, "simrun links the object files of -c itself, with -o, in one step"},
    {"-shared", "--shared", none, refuse, "device code goes into programs; put object files into an archive with ar"},
    {"-lib", "--lib", none, refuse, "put the object files of -c into an archive with ar"},
    {"-dlto", "--dlink-time-opt", none, ignore, "device code that is optimized when it is linked"},
    {"-lto", "--lto", none, ignore, "the same"},
    {"-dopt", "--dopt", separate, ignore, "optimized device code for a debugger"},
    {"-lineinfo", "--generate-line-info", none, ignore, "line numbers of device code"},
    {"-G", "--device-debug", none, ignore, "debug information of device code"},
    {"-res-usage", "--resource-usage", none, ignore, "a list of registers and memory"},
    {"-use_fast_math", "--use_fast_math", none, ignore, "fast, less exact arithmetic"},
    {"-fmad", "--fmad", separate, ignore, "multiplication and addition fused"},
    {"-ftz", "--ftz", separate, ignore, "subnormal numbers as zero"},
    {"-prec-div", "--prec-div", separate, ignore, "exact division"},
    {"-prec-sqrt", "--prec-sqrt", separate, ignore, "exact square roots"},
    {"-extra-device-vectorization", "--extra-device-vectorization", none, ignore, "device code with more vectors"},
    {"-src-in-ptx", "--source-in-ptx", none, ignore, "source lines in PTX"},
    {"-Xfatbin", "--fatbin-options", separate, ignore, "options for NVIDIA's packer of device code"},
    {"-compress-all", "--compress-all", none, ignore, "compressed device code"},
    {"-no-compress", "--no-compress", none, ignore, "device code that is not compressed"},
    {"-opt-info", "--optimization-info", separate, ignore, "what nvcc has optimized"},
    {"-ewp", "--extensible-whole-program", none, ignore, "device code that may be linked"},
    {"-Ofast-compile", "--Ofast-compile", separate, ignore, "how fast device code is compiled"},
    {"-jump-table-density", "--jump-table-density", separate, ignore, "tables of jumps in device code"},
    {"-split-compile-extended", "--split-compile-extended", separate, ignore, "how many parts are compiled at a time"},
    {"-compress-mode", "--compress-mode", separate, ignore, "compressed device code"},
    {"-static-global-template-stub", "--static-global-template-stub", separate, ignore, "linkage of kernel templates"},
    {"-restrict", "--restrict", none, ignore, "pointers of kernels that do not overlap"},
    // nvcc itself
    {"-ccbin", "--compiler-bindir", separate, ignore, "the host compiler; simrun takes the one that built it"},
    {"-cudart", "--cudart", separate, ignore, "how NVIDIA's runtime is linked"},
    {"-cudadevrt", "--cudadevrt", separate, ignore, "how NVIDIA's device runtime is linked"},
    {"-t", "--threads", either, ignore, "how many compilers run at a time"},
    {"-split-compile", "--split-compile", separate, ignore, "how many parts are compiled at a time"},
    {"-Xcudafe", "", separate, ignore, "options for NVIDIA's front end"},
    {"-Werror", "--Werror", separate, ignore, "kinds of warnings of nvcc that are errors"},
    {"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", none, ignore, "no warning of nvcc about old GPUs"},
    {"-Wno-deprecated-declarations", "--Wno-deprecated-declarations", none, compile, "no warnings of old names"},
    {"-Wreorder", "--Wreorder", none, compile, "warnings of members that are initialised in another order"},
    {"-Wdefault-stream-launch", "--Wdefault-stream-launch", none, ignore, "warnings of nvcc"},
    {"-Wmissing-launch-bounds", "--Wmissing-launch-bounds", none, ignore, "warnings of nvcc"},
    {"-Wext-lambda-captures-this", "--Wext-lambda-captures-this", none, ignore, "warnings of nvcc"},
    {"-brief-diagnostics", "--brief-diagnostics", separate, ignore, "short messages of nvcc"},
    {"-diag-suppress", "--diag-suppress", separate, ignore, "warnings of nvcc that are left out"},
    {"-diag-warn", "--diag-warn", separate, ignore, "messages of nvcc that are warnings"},
    {"-diag-error", "--diag-error", separate, ignore, "messages of nvcc that are errors"},
    {"-err-no", "--display-error-number", none, ignore, "messages of nvcc with their numbers"},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", none, ignore, "any host compiler"},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", none, ignore, "always so"},
    {"-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker", none, ignore, "always so"},
    {"-extended-lambda", "--extended-lambda", none, ignore, "lambdas for the device; always on"},
    {"-expt-extended-lambda", "--expt-extended-lambda", none, ignore, "lambdas for the device; always on"},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", none, relaxed, "constexpr functions in device code"},
    {"-keep", "--keep", none, ignore, "files that nvcc would delete"},
    {"-keep-dir", "--keep-dir", separate, ignore, "where to"},
    {"-v", "--verbose", none, ignore, "what nvcc runs"},
    {"-run", "--run", none, ignore, "the program is run; simrun does where no -o is given"},
    {"-link", "--link", none, ignore, "an executable; always so"},
    {"-save-temps", "--save-temps", none, ignore, "files that nvcc would delete"},
    {"-time", "--time", separate, ignore, "a file for the times of nvcc's phases"},
    {"-noeh", "--no-exceptions", none, ignore, "host code without exceptions"},
    {"-c", "--compile", none, object, "object files, for simrun to link"},
    // modules of the driver API
    {"-ptx", "--ptx", none, module, "a module that cuModuleLoad takes"},
    {"-cubin", "--cubin", none, module, "a module that cuModuleLoad takes"},
    {"-fatbin", "--fatbin", none, module, "a module that cuModuleLoad takes"},
};

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
  for (const nvcc_option& o : kOptions)
    for (const std::string_view spelling : {o.name, o.long_name})
      if (spelling.size() > best.length && may_be_spelled(o, spelling, word)) best = {&o, spelling.size()};
  return best;
}

// nvcc's lists for other programs: words with commas between.
words split_list(const std::string& list) {
  words all;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) all.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

bool is_for_linker(const std::string& option) { return option.starts_with("-l") || option.starts_with("-L"); }

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
    find_archives();
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

  // What -l means where a folder of -L has the archive: it may be one of `simrun -c`'s objects.
  void find_archives() {
    const words& all = command_.build.link_options;
    words folders, names;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const auto& [option, values] : {std::pair{"-L", &folders}, {"-l", &names}})
        if (all[i] == option && i + 1 < all.size())
          values->push_back(all[i + 1]);
        else if (all[i].starts_with(option))
          values->push_back(all[i].substr(2));
    for (const std::string& name : names)
      for (const std::string& folder : folders) {
        const std::string in_folder = name.starts_with(':') ? name.substr(1) : "lib" + name + ".a";
        const std::filesystem::path file = std::filesystem::path(folder) / in_folder;
        std::error_code none;
        if (!std::filesystem::is_regular_file(file, none)) continue;
        command_.build.objects.push_back(file.string());
        break;
      }
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
      case refuse:
        command_.wrong = fmt::format("{} of nvcc is not supported: {}", word, option.what);
        return;
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

std::span<const nvcc_option> nvcc_options() { return kOptions; }

const std::string& subject_of(const source_command& c) {
  return c.build.sources.empty() ? c.build.objects.front() : c.build.sources.front();
}

std::string object_file_of(const source_command& c, const std::string& source) {
  return c.output.empty() ? std::filesystem::path(source).stem().string() + ".o" : c.output;
}

source_command read_command_line(const words& all) { return reader().read(all); }

}  // namespace simt::cuda_source
