// SPDX-License-Identifier: Apache-2.0
#include "build.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <sstream>
#include <stdexcept>

#include "../rewrite/rewrite.hpp"
#include "process.hpp"

namespace simt::cuda_source {
namespace {

namespace fs = std::filesystem;

// FNV-1a, twice with different starts: 128 bits name a cache entry.
class digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      a_ = (a_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
      b_ = (b_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull + 0x9e3779b97f4a7c15ull;
    }
    a_ = (a_ ^ 0xff) * 0x100000001b3ull;
    b_ = (b_ ^ text.size()) * 0x100000001b3ull;
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

 private:
  std::uint64_t a_ = 0xcbf29ce484222325ull, b_ = 0x6a09e667f3bcc908ull;
};

std::string stamp(const std::string& file) {
  std::error_code none;
  const auto time = fs::last_write_time(file, none);
  if (none) return "gone";
  return fmt::format("{}:{}", time.time_since_epoch().count(), fs::file_size(file, none));
}

// Writes beside and renames, so that two builds at once do not see each other's halves.
void write_file(const fs::path& file, std::string_view text) {
  const fs::path draft = file.string() + fmt::format(".{}", getpid());
  {
    std::ofstream out(draft, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!out) throw std::runtime_error("cannot write " + draft.string() + " (set SIMT_CACHE_DIR to a folder with room)");
  }
  fs::rename(draft, file);
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> compiler_words(const tool_chain& t, const build_request& r) {
  std::vector<std::string> words = {t.compiler};
  words.insert(words.end(), t.flags.begin(), t.flags.end());
  const auto& more = r.check ? t.check_flags : t.sim_flags;
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), r.options.begin(), r.options.end());
  return words;
}

// The user's macros, for a file that is read after our headers: a -D N=16 must not reach into those. Names that begin
// with _ configure headers and stay on the command line. Takes what it returns out of `words`.
std::string take_macros(std::vector<std::string>& words) {
  std::string text;
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string definition;
    const bool define = words[i].starts_with("-D"), undefine = words[i].starts_with("-U");
    const bool apart = words[i].size() == 2 && i + 1 < words.size();
    if (define || undefine) definition = apart ? words[i + 1] : words[i].substr(2);
    if (definition.empty() || definition.front() == '_' || words[i] == "-U_FORTIFY_SOURCE" ||
        definition.starts_with("CUDA_API_PER_THREAD_DEFAULT_STREAM")) {
      kept.push_back(words[i]);
      continue;
    }
    i += apart;
    const std::size_t equals = definition.find('=');
    if (undefine)
      text += "#undef " + definition + "\n";
    else if (equals == std::string::npos)
      text += "#define " + definition + " 1\n";
    else
      text += "#define " + definition.substr(0, equals) + " " + definition.substr(equals + 1) + "\n";
  }
  words = kept;
  return text;
}

struct translated {
  std::string text, errors;
  bool ok = false;
  std::set<std::string> files;  // everything that was read
};

std::set<std::string> files_read(std::string_view preprocessed) {
  std::set<std::string> files;
  for (std::size_t at = 0; at < preprocessed.size();) {
    std::size_t end = preprocessed.find('\n', at);
    if (end == std::string_view::npos) end = preprocessed.size();
    const std::string_view line = preprocessed.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("# ")) continue;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open == std::string_view::npos || close <= open + 1 || line[open + 1] == '<') continue;
    files.insert(std::string(line.substr(open + 1, close - open - 1)));
  }
  return files;
}

translated translate(const tool_chain& t, const build_request& r, const std::string& source) {
  translated result;
  std::vector<std::string> words = compiler_words(t, r);
  std::vector<std::string> user = r.options;
  words.resize(words.size() - user.size());  // they are the last
  const std::string macros = take_macros(user);
  words.insert(words.end(), user.begin(), user.end());
  for (const std::string& i : t.includes) words.insert(words.end(), {"-isystem", i});
  words.insert(words.end(), {"-isystem", t.headers, "-idirafter", t.headers + "/samples", "-include", "cuda_runtime.h"});
  if (!macros.empty()) {
    digest name;
    name.add(macros);
    const fs::path file = fs::path(cache_folder()) / "cuda" / ("macros-" + name.text() + ".h");
    if (!fs::exists(file)) write_file(file, macros);
    words.insert(words.end(), {"-include", file.string()});
  }
  words.insert(words.end(), {"-E", "-x", "c++", source});
  const process_result plain = run_process(words);
  if (plain.exit_code != 0) {
    result.errors = plain.errors;
    return result;
  }
  std::string host;
  const std::string& text = plain.output;
  bool arch = false;  // does the user's own text ask which pass this is?
  result.files = files_read(text);
  for (const std::string& f : result.files) {
    if (f.starts_with(t.headers) || f.starts_with("/usr/")) continue;
    const std::string own = read_file(f);
    arch = arch || own.find("__CUDA_ARCH__") != std::string::npos || own.find("NV_IF_") != std::string::npos || own.find("NV_DISPATCH_") != std::string::npos;
  }
  if (arch) {
    words.insert(words.begin() + 1, "-DSIMT_HOST_PASS=1");
    const process_result second = run_process(words);
    if (second.exit_code == 0) host = second.output;
  }
  const rewritten done = rewrite(text, t.headers, host);
  for (const message& m : done.messages) result.errors += fmt::format("{}:{}: error: {}\n", m.file, m.line, m.text);
  result.ok = done.messages.empty();
  result.text = done.text;
  return result;
}

std::string manifest_of(const std::set<std::string>& files, const std::string& executable) {
  std::string text = executable + "\n";
  for (const std::string& f : files) text += stamp(f) + " " + f + "\n";
  return text;
}

// The executable that a manifest names, if nothing that went into it changed.
std::string still_valid(const fs::path& manifest) {
  std::ifstream in(manifest);
  std::string executable;
  if (!std::getline(in, executable) || !fs::exists(executable)) return {};
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || stamp(line.substr(space + 1)) != line.substr(0, space)) return {};
  }
  return executable;
}

// The compiler was given a file of ours; messages name the user's, but "In file ..." lines may not.
process_result compile(const tool_chain& t, const build_request& r, const std::string& from, const std::string& to) {
  std::vector<std::string> words = compiler_words(t, r);
  words.insert(words.end(), {"-w", "-fpreprocessed", "-x", "c++", "-c", from, "-o", to});
  return run_process(words);
}

}  // namespace

std::string cache_folder() {
  if (const char* own = std::getenv("SIMT_CACHE_DIR"); own != nullptr && *own != 0) return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != 0) return std::string(xdg) + "/simt";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) return std::string(home) + "/.cache/simt";
  return fmt::format("/tmp/simt-{}", getuid());
}

build_result build(const tool_chain& t, const build_request& r) {
  build_result result;
  const fs::path cache = fs::path(cache_folder()) / "cuda";
  std::error_code failed;
  fs::create_directories(cache, failed);
  if (failed)
    throw std::runtime_error(fmt::format("cannot make the cache folder {}: {}; set SIMT_CACHE_DIR to a folder that can be written",
                                         cache.string(), failed.message()));
  digest command;
  for (const std::string& w : compiler_words(t, r)) command.add(w);
  for (const std::string& w : r.link_options) command.add(w);
  command.add(fs::current_path().string());
  command.add(stamp("/proc/self/exe"));  // what translates
  for (const std::string& s : r.sources) {
    if (!fs::exists(s)) {
      result.text = fmt::format("{}: no such file\n", s);
      return result;
    }
    command.add(fs::absolute(s).string());
  }
  const fs::path manifest = cache / (command.text() + ".inputs");
  if (const std::string known = still_valid(manifest); !known.empty()) {
    result.executable = known;
    result.from_cache = true;
    return result;
  }

  std::vector<std::string> libraries;
  if (r.check) libraries = {t.check_runtime};
  const auto& own = r.check ? t.check_libraries : t.sim_libraries;
  libraries.insert(libraries.end(), own.begin(), own.end());

  std::vector<std::future<translated>> translating;
  for (const std::string& s : r.sources) translating.push_back(std::async(std::launch::async, [&, s] { return translate(t, r, s); }));
  std::vector<translated> units;
  for (auto& f : translating) units.push_back(f.get());
  std::set<std::string> files;
  digest content = command;
  bool ok = true;
  for (const translated& u : units) {
    result.text += u.errors;
    ok = ok && u.ok;
    content.add(u.text);
    files.insert(u.files.begin(), u.files.end());
  }
  if (!ok) return result;
  for (const std::string& l : libraries) {
    content.add(stamp(l));
    files.insert(l);
  }

  const fs::path executable = cache / content.text();
  if (!fs::exists(executable)) {
    const fs::path work = cache / (content.text() + fmt::format(".{}.work", getpid()));
    fs::create_directories(work);
    struct remover {
      fs::path path;
      ~remover() {
        std::error_code none;
        if (std::getenv("SIMT_KEEP_REWRITTEN") == nullptr) fs::remove_all(path, none);
      }
    } cleaning{work};
    std::vector<std::future<process_result>> compiling;
    std::vector<std::string> objects;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const std::string from = (work / fmt::format("{}.ii", i)).string(), to = (work / fmt::format("{}.o", i)).string();
      write_file(from, units[i].text);
      objects.push_back(to);
      compiling.push_back(std::async(std::launch::async, [&, from, to] { return compile(t, r, from, to); }));
    }
    for (auto& f : compiling) {
      const process_result c = f.get();
      result.text += c.errors;
      ok = ok && c.exit_code == 0;
    }
    if (!ok) return result;
    std::vector<std::string> link = {t.compiler, "-o", (work / "program").string(), "-pthread"};
    if (r.check)
      link.insert(link.end(), {"-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove,--wrap=pthread_mutex_unlock", "-Wl,--whole-archive", t.check_runtime, "-Wl,--no-whole-archive"});
    link.insert(link.end(), objects.begin(), objects.end());
    link.insert(link.end(), r.link_options.begin(), r.link_options.end());
    link.emplace_back("-Wl,--start-group");
    link.insert(link.end(), own.begin(), own.end());
    link.emplace_back("-Wl,--end-group");
    link.insert(link.end(), t.libraries.begin(), t.libraries.end());
    const process_result linked = run_process(link);
    if (linked.exit_code != 0) {
      const bool no_main = linked.errors.find("undefined reference to `main'") != std::string::npos;
      result.text += no_main ? r.sources.front() + ": there is no main() in it, so there is nothing to run: add one that launches the kernels\n"
                             : linked.errors;
      return result;
    }
    result.text += linked.errors;
    // Where another build of the same was faster its program stays: it may run, and reports ask the file for its lines.
    std::error_code failed;
    fs::create_hard_link(work / "program", executable, failed);
    if (failed && !fs::exists(executable)) fs::rename(work / "program", executable);  // no links in this file system
  }
  write_file(manifest, manifest_of(files, executable.string()));
  result.executable = executable.string();
  return result;
}

}  // namespace simt::cuda_source
