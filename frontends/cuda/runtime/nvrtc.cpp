// SPDX-License-Identifier: Apache-2.0
// NVRTC: a program's text becomes a file of the cache, and the tool that built this program compiles it. Line markers
// give it the name that the program has, so messages and findings say that.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <frontends/cuda/headers/nvrtc.h>
#include <sim/report/symbolize.hpp>
#include <simt/session.hpp>

#include "modules.hpp"

struct _nvrtcProgram {  // NOLINT(bugprone-reserved-identifier): the API's name
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers;  // name, text
  std::vector<std::string> expressions;
  std::map<std::string, std::string> lowered;
  std::string log, text, object;  // text: of the module; empty: not compiled
};

namespace simt_cuda {
namespace {

// What NVRTC's options mean here. A value stands behind a =, or in the next word.
struct nvrtc_option {
  const char *name, *short_name;
  bool value;
  const char* becomes;  // the compiler's word; "": nothing; null: it is refused
};
constexpr nvrtc_option kNvrtcOptions[] = {
    {"--define-macro", "-D", true, "-D"},
    {"--undefine-macro", "-U", true, "-U"},
    {"--include-path", "-I", true, "-I"},
    {"--pre-include", "-include", true, "-include"},
    {"--std", "-std", true, "-std="},
    {"--gpu-architecture", "-arch", true, ""},
    {"--maxrregcount", "-maxrregcount", true, ""},
    {"--fmad", "-fmad", true, ""},
    {"--ftz", "-ftz", true, ""},
    {"--prec-sqrt", "-prec-sqrt", true, ""},
    {"--prec-div", "-prec-div", true, ""},
    {"--relocatable-device-code", "-rdc", true, "-rdc="},
    {"--builtin-move-forward", "-builtin-move-forward", true, ""},
    {"--builtin-initializer-list", "-builtin-initializer-list", true, ""},
    {"--ptxas-options", "-Xptxas", true, ""},
    {"--diag-suppress", "-diag-suppress", true, ""},
    {"--diag-error", "-diag-error", true, ""},
    {"--diag-warn", "-diag-warn", true, ""},
    {"--extensible-whole-program", "-ewp", false, ""},
    {"--device-c", "-dc", false, "-rdc=true"},
    {"--device-w", "-dw", false, ""},
    {"--device-debug", "-G", false, ""},
    {"--generate-line-info", "-lineinfo", false, ""},
    {"--dopt", "-dopt", true, ""},
    {"--use_fast_math", "-use_fast_math", false, ""},
    {"--extra-device-vectorization", "-extra-device-vectorization", false, ""},
    {"--device-as-default-execution-space", "-default-device", false, nullptr},
    {"--disable-warnings", "-w", false, ""},
    {"--restrict", "-restrict", false, ""},
    {"--device-stack-protector", "-device-stack-protector", true, ""},
    {"--version-ident", "-version-ident", true, ""},
    {"--display-error-number", "-err-no", false, ""},
    {"--no-display-error-number", "-no-err-no", false, ""},
    {"--no-source-include", "-no-source-include", false, ""},
    {"--minimal", "-minimal", false, ""},
    {"--dlink-time-opt", "-dlto", false, "-rdc=true"},
    {"--gen-opt-lto", "-gen-opt-lto", false, nullptr},
};

struct matched_nvrtc_option {
  const nvrtc_option* known = nullptr;
  std::string value;
  bool has_value = false;
};
matched_nvrtc_option match(std::string_view word) {
  for (const nvrtc_option& o : kNvrtcOptions)
    for (const std::string_view name : {o.name, o.short_name}) {
      if (!word.starts_with(name)) continue;
      const std::string_view rest = word.substr(name.size());
      if (rest.empty()) return {&o, {}, false};
      if (o.value && rest.front() == '=') return {&o, std::string(rest.substr(1)), true};
      if (o.value && name.size() == 2) return {&o, std::string(rest), true};  // -DNAME, -Ifolder
    }
  return {};
}

// A folder of NVIDIA's Toolkit, whose headers would hide the simulator's.
bool is_of_toolkit(const std::string& folder) {
  struct stat what;
  return stat((folder + "/cuda_runtime.h").c_str(), &what) == 0 && stat((folder + "/crt").c_str(), &what) == 0;
}

// Words for the tool; what is wrong is said in `log`.
bool read_nvrtc_options(int count, const char* const* options, std::vector<std::string>& words, std::string& log) {
  std::vector<std::string> all;  // one text may hold several, as some programs give them
  for (int i = 0; i < count; ++i) {
    std::string text = options[i] != nullptr ? options[i] : "";
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    if (!text.empty()) all.push_back(text);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    matched_nvrtc_option m = match(all[i]);
    if (m.known == nullptr) {
      log += "nvrtc: error: unrecognized option " + all[i] + " found\n";
      return false;
    }
    if (m.known->becomes == nullptr) {
      log += "nvrtc: error: " + all[i] + " is not supported by the simulator\n";
      return false;
    }
    if (m.known->value && !m.has_value) {
      if (i + 1 == all.size()) {
        log += "nvrtc: error: a value is expected behind " + all[i] + "\n";
        return false;
      }
      m.value = all[++i];
    }
    const std::string word = m.known->becomes;
    if (word.empty() || (word == "-I" && is_of_toolkit(m.value))) continue;
    if (word == "-std=")
      words.push_back(word + m.value);
    else if (word == "-include")
      words.insert(words.end(), {word, m.value});
    else
      words.push_back(word + m.value);
  }
  return true;
}

std::string environment_text(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Makes the folder and those above it.
bool make_folder(const std::string& folder) {
  for (std::size_t at = 1; at != std::string::npos;) {
    at = folder.find('/', at + 1);
    mkdir(folder.substr(0, at).c_str(), 0700);
  }
  struct stat what;
  return stat(folder.c_str(), &what) == 0 && S_ISDIR(what.st_mode) && what.st_uid == geteuid();
}

// For texts with this mark; empty: none can be made.
std::string folder_for(std::uint64_t mark) {
  std::string top = environment_text("SIMT_CACHE_DIR");
  if (top.empty() && !environment_text("XDG_CACHE_HOME").empty()) top = environment_text("XDG_CACHE_HOME") + "/simt";
  if (top.empty() && !environment_text("HOME").empty()) top = environment_text("HOME") + "/.cache/simt";
  char text[32];
  std::snprintf(text, sizeof text, "/nvrtc/%016llx", static_cast<unsigned long long>(mark));
  if (!top.empty() && make_folder(top + text)) return top + text;
  std::string passing =
      (environment_text("TMPDIR").empty() ? "/tmp" : environment_text("TMPDIR")) + "/simt-nvrtc-XXXXXX";
  return mkdtemp(passing.data()) != nullptr ? passing : std::string();
}

// Whole, or not at all; a file that says the same already keeps its time.
bool write_file(const std::string& file, const std::string& text) {
  if (!text.empty() && text_of(file) == text) return true;
  if (const std::size_t slash = file.rfind('/'); !make_folder(file.substr(0, slash))) return false;
  const std::string beside = file + "." + std::to_string(getpid());
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  return out.good() && rename(beside.c_str(), file.c_str()) == 0;
}

std::uint64_t mark_of(const std::string& text, std::uint64_t mark = 0xcbf29ce484222325U) {
  for (const char c : text) mark = (mark ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return (mark ^ 0xffU) * 0x100000001b3U;
}

std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

// The name of a variable at namespace scope, `N::x`, as the compiler has it.
std::string variable_symbol(std::string expression) {
  std::erase_if(expression, [](char c) { return c == '&' || c == ' ' || c == '(' || c == ')'; });
  if (expression.starts_with("::")) expression.erase(0, 2);
  if (expression.find("::") == std::string::npos) return expression;
  std::string symbol = "_ZN";
  for (std::size_t at = 0; at < expression.size();) {
    const std::size_t end = std::min(expression.find("::", at), expression.size());
    symbol += std::to_string(end - at) + expression.substr(at, end - at);
    at = end + 2;
  }
  return symbol + "E";
}

nvrtcResult give_text(const std::string& text, char* to) {
  if (to == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

}  // namespace
}  // namespace simt_cuda

using namespace simt_cuda;

const char* nvrtcGetErrorString(nvrtcResult e) {
  switch (e) {
#define SIMT_NVRTC_RESULT(name, number) \
  case name:                            \
    return #name;
    SIMT_NVRTC_RESULTS(SIMT_NVRTC_RESULT)
#undef SIMT_NVRTC_RESULT
  }
  return "NVRTC_ERROR unknown";
}
nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* all) {
  if (all == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  all[0] = 90;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram* p, const char* source, const char* name, int count,
                               const char* const* headers, const char* const* names) {
  if (p == nullptr || source == nullptr || count < 0 || (count > 0 && (headers == nullptr || names == nullptr)))
    return NVRTC_ERROR_INVALID_INPUT;
  *p = new _nvrtcProgram;
  (*p)->source = source;
  (*p)->name = name != nullptr && *name != 0 ? name : "default_program";
  for (int i = 0; i < count; ++i) (*p)->headers.emplace_back(names[i], headers[i]);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* p) {
  if (p == nullptr || *p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *p;
  *p = nullptr;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char* expression) {
  if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (!p->text.empty()) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  p->expressions.emplace_back(expression);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char* const* options) {
  if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && options == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
  p->log.clear();
  p->text.clear();
  std::vector<std::string> given;
  const bool source_include = std::none_of(options, options + count, [](const char* o) {
    return o != nullptr && std::string_view(o).ends_with("-no-source-include");
  });
  if (!read_nvrtc_options(count, options, given, p->log)) return NVRTC_ERROR_INVALID_OPTION;

  std::string text = "# 1 " + quoted_text(p->name) + "\n" + p->source + "\n# 1 \"name expressions\"\n";
  for (std::size_t i = 0; i < p->expressions.size(); ++i)
    text += "static const ::simt_cuda::named_expression simt_name_" + std::to_string(i) + "(" +
            quoted_text(p->expressions[i]) + ", " + p->expressions[i] + ");\n";
  std::uint64_t mark = mark_of(text);
  for (const auto& [name, header] : p->headers) mark = mark_of(header, mark_of(name, mark));
  const std::string folder = folder_for(mark);
  bool written =
      !folder.empty() && write_file(folder + "/program.cu", text) && write_file(folder + "/source", p->source);
  for (const auto& [name, header] : p->headers) {
    if (name.empty() || name.front() == '/' || name.find("..") != std::string::npos) {
      p->log = "nvrtc: error: the name of a header is to be a path below the program: " + name + "\n";
      return NVRTC_ERROR_INVALID_INPUT;
    }
    written = written && write_file(folder + "/" + name, header);
  }
  if (!written) {
    p->log = "nvrtc: error: the program cannot be written to the cache (" + folder + ")\n";
    return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
  }
  std::vector<std::string> words = {folder + "/program.cu", "-I" + folder, "-D__CUDACC_RTC__=1"};
  const std::size_t slash = p->name.rfind('/');
  const std::string beside = slash == std::string::npos ? "." : p->name.substr(0, slash + 1);
  if (source_include && !is_of_toolkit(beside)) words.push_back("-I" + beside);
  words.insert(words.end(), given.begin(), given.end());
  const compilation c = compile_module(words, {});
  p->log = c.messages;
  if (const std::size_t last = p->log.rfind("simrun: "); p->log.ends_with("was not built\n") && last < p->log.size())
    p->log.erase(last);  // the result says so
  if (c.exit_code != 0) return c.exit_code == 2 ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_INTERNAL_ERROR;
  p->text = write_module(c.made);
  p->object = c.made.check_object.empty() ? c.made.sim_object : c.made.check_object;
  simt::text_of_module(p->object, p->name, folder + "/source");
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, std::size_t* bytes) {
  if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = p->text.empty() ? 0 : p->text.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char* to) {
  return p == nullptr || p->text.empty() ? NVRTC_ERROR_INVALID_PROGRAM : give_text(p->text, to);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, std::size_t* bytes) { return nvrtcGetPTXSize(p, bytes); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char* to) { return nvrtcGetPTX(p, to); }
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram p, std::size_t* bytes) { return nvrtcGetPTXSize(p, bytes); }
nvrtcResult nvrtcGetLTOIR(nvrtcProgram p, char* to) { return nvrtcGetPTX(p, to); }
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, std::size_t* bytes) {
  if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = p->log.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char* to) {
  return p == nullptr ? NVRTC_ERROR_INVALID_PROGRAM : give_text(p->log, to);
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char* expression, const char** name) {
  if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr || name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  if (p->text.empty()) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  if (std::find(p->expressions.begin(), p->expressions.end(), expression) == p->expressions.end())
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  std::string& symbol = p->lowered[expression];
  if (symbol.empty()) {
    const std::optional<named_thing> what = find_expression(p->object, expression);
    if (!what) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    Dl_info info{};
    if (!what->function)
      symbol = variable_symbol(expression);
    else if (dladdr(what->address, &info) != 0 && info.dli_saddr == what->address && info.dli_sname != nullptr)
      symbol = info.dli_sname;
    else
      return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  }
  *name = symbol.c_str();
  return NVRTC_SUCCESS;
}
