// SPDX-License-Identifier: Apache-2.0
#include "build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <future>
#include <iterator>
#include <optional>
#include <set>

#include "cache.hpp"
#include "cuda_words.hpp"
#include "frontends/cuda/translate/translate.hpp"
#include "line_markers.hpp"
#include "parts.hpp"
#include "precompiled_headers.hpp"
#include "refused_instructions.hpp"
#include "source_objects.hpp"

namespace simt::cuda_source {
namespace {

namespace fs = std::filesystem;

void append(std::vector<compiler_message>& to, std::vector<compiler_message>&& more) {
  std::ranges::move(more, std::back_inserter(to));
}

// cuda::std is std here, and Thrust and CUB have some of its functions: what is called there may be meant for a kernel.
bool has_std_for_device(const read_files& files, const tool_chain& t) {
  return std::ranges::any_of(files.all, [&](const std::string& file) {
    const auto is_in = [&](const char* folder) { return file.starts_with(t.headers + folder); };
    return is_in("/cuda/") || is_in("/thrust/") || is_in("/cub/") || is_in("/nv/");
  });
}

// Whether the user's own text can look different to the device and to the host.
bool asks_for_the_pass(const read_files& files, const tool_chain& t) {
  const auto is_ours = [&](const std::string& file) {
    const auto holds = [&](const std::string& folder) { return file.starts_with(folder + "/"); };
    return holds(t.headers) || (!files.of_user.contains(file) && std::ranges::any_of(t.includes, holds));
  };
  return std::ranges::any_of(files.all, [&](const std::string& file) {
    if (is_ours(file) || file.starts_with("/usr/")) return false;
    const std::string text = whole_file(file);
    return std::ranges::any_of(std::array{"__CUDA_ARCH__", "NV_IF_", "NV_DISPATCH_"},
                               [&](const char* w) { return text.find(w) != std::string::npos; });
  });
}

bool links_source_objects(const build_request& r) {
  return std::ranges::any_of(r.objects, [](const std::string& f) { return holds_source_objects(f); });
}

// Takes what `simrun -c` made out of the files that are linked, writes the objects of this variant into `folder` and
// adds them. What these were compiled from asks for libraries, as sources do: their headers join files_read.
std::vector<std::string> unpack_source_objects(const build_request& r, const fs::path& folder,
                                               std::set<std::string>& files_read,
                                               std::vector<compiler_message>& messages) {
  std::vector<std::string> objects;
  std::set<std::string> archives;  // of which one may be named again, where libraries want each other
  for (const std::string& file : r.objects) {
    if (is_thin_archive(file)) {
      messages.push_back({.severity = "error", .text = file + " is a thin archive: make it with ar rc, without T"});
      return {};
    }
    if (file.ends_with(".a") && !archives.insert(fs::weakly_canonical(file).string()).second) continue;
    for (source_object& o : source_objects_in(file)) {
      if (r.profile || r.for_debugger || o.made_by != maker_stamp()) {
        const char* why = r.profile        ? "was compiled without counters: name its source instead"
                          : r.for_debugger ? "was not compiled to be stepped through: name its source instead"
                                           : "was made by another simrun: make it again";
        messages.push_back({.severity = "error", .text = fmt::format("{} {}", file, why)});
        return {};
      }
      objects.push_back((folder / fmt::format("linked-{}.o", objects.size())).string());
      write_whole_file(objects.back(), r.check ? o.checked : o.plain);
      files_read.merge(o.includes);
    }
  }
  return objects;
}

struct translated_source {
  std::string text;        // empty: it cannot be translated
  bool refused = false;    // it will not compile; whoever compiles it learns what else is wrong
  std::string other_text;  // for the case that this does not compile: without names that collide with std's
  std::vector<compiler_message> messages;  // why, and what the preprocessor warns of
  std::set<std::string> files;             // everything that was read
  source_language language = source_language::cuda;
};

// Whether a source in C reads a header of CUDA's. They stop there with an error, since they are C++.
bool includes_cuda(const process_result& preprocessed, const tool_chain& t) {
  const std::set<std::string> files = files_in_line_markers(preprocessed.output).all;
  return std::ranges::any_of(files, [&](const std::string& file) {
    const bool serves_c = file.ends_with("/math.h") || file.ends_with("/assert.h") || file.ends_with("/omp.h");
    return file.starts_with(t.headers + "/") && !serves_c;
  });
}

translated_source preprocess_and_translate(const tool_chain& t, const build_request& r, const std::string& source,
                                           const std::string& macros) {
  translated_source result;
  result.language = language_of(r, source);
  process_result device = run_preprocessor(t, r, source, result.language, macros, false);
  if (result.language == source_language::c && includes_cuda(device, t)) {
    result.language = source_language::c_with_cuda;
    device = run_preprocessor(t, r, source, result.language, macros, false);
  }
  result.messages = read_messages(device.errors);
  quote_lines(result.messages);
  if (device.exit_code != 0) return result;
  const read_files files = files_in_line_markers(device.output);
  result.files = files.all;
  if (result.language == source_language::c) {  // nothing of it is CUDA's
    result.text = device.output;
    return result;
  }
  std::string host;
  if (result.language == source_language::cuda && asks_for_the_pass(files, t))
    if (process_result second = run_preprocessor(t, r, source, result.language, macros, true); second.exit_code == 0)
      host = std::move(second.output);
  if (!asks_for_cpp20(r)) {
    give_back_what_cpp20_took(device.output, t.headers);
    give_back_what_cpp20_took(host, t.headers);
  }
  translation_options options{
      .module = r.module,
      .newer_words = asks_for_cpp20(r),
      .linked = r.linked || (r.sources.size() == 1 && !r.object && !links_source_objects(r)),
      .mark_spaces = !t.plugin.empty() && !r.for_debugger && result.language == source_language::cuda,
      .relaxed_constexpr = r.relaxed_constexpr || has_std_for_device(files, t),
      .in_c = result.language == source_language::c_with_cuda,
      .newlines_again = t.raw_strings == "again",
      .text_of = [](const std::string& file) { return whole_file(file); }};
  translation done = translate(device.output, t.headers, host, options);
  if (done.has_names_of_std) {
    options.rename_names_of_std = true;
    result.other_text = translate(device.output, t.headers, host, options).text;
  }
  for (const message& m : done.messages)
    result.messages.push_back({.severity = "error", .file = m.file, .line = m.line, .text = m.text});
  quote_lines(result.messages);
  result.refused = !done.messages.empty();
  result.text = std::move(done.text);
  return result;
}

// Every source in a thread of its own: most of the time is the compiler's, in another process.
std::vector<translated_source> translate_all(const tool_chain& t, const build_request& r, const std::string& macros) {
  std::vector<std::future<translated_source>> running;
  for (const std::string& source : r.sources)
    running.push_back(
        std::async(std::launch::async, [&, source] { return preprocess_and_translate(t, r, source, macros); }));
  std::vector<translated_source> all;
  for (auto& one : running) all.push_back(one.get());
  return all;
}

process_result run_whole(const tool_chain& t, const build_request& r, const std::string& from, const std::string& to,
                         source_language language, const std::string& headers) {
  std::error_code none;
  fs::remove(second_object(to), none);  // of an attempt before
  return run_compiler(t, r, from, to, language, headers);
}

// One source to an object, or two (parts.hpp), with the headers before it from the cache where that can be.
process_result make_object(const tool_chain& t, const build_request& r, const std::string& text,
                           const std::string& from, const std::string& to, source_language language,
                           const fs::path& cache) {
  write_whole_file(from, text);
  if (language != source_language::c) {
    parts_of_source parts = split_at_end_of_headers(text);
    if (std::string headers = precompiled_headers(t, r, parts.headers, cache); !headers.empty()) {
      parts_of_source more = split_at_first_own_line(parts.rest);
      if (std::string both = precompiled_headers(t, r, more.headers, cache, headers); !both.empty()) {
        headers = std::move(both);
        parts = std::move(more);
      }
      const std::string rest = from + ".rest.ii";
      write_whole_file(rest, parts.rest);
      const bool in_parts = compiles_in_parts(t, r, parts.rest, language);
      process_result done = (in_parts ? run_compiler_in_parts : run_whole)(t, r, rest, to, language, headers);
      if (!failed_by_headers(done)) return done;
    }
  }
  return run_whole(t, r, from, to, language, {});
}

// The objects that were made of them, in `folder`; nothing where a compilation failed.
std::optional<std::vector<std::string>> compile_all(const tool_chain& t, const build_request& r,
                                                    const std::vector<translated_source>& sources,
                                                    const fs::path& folder, std::vector<compiler_message>& messages) {
  struct compiled {
    process_result result;
    std::vector<compiler_message> messages;
  };
  const auto with_messages = [](process_result done, const std::string& text) {
    std::vector<compiler_message> said = read_messages(done.errors);
    std::vector<compiler_message> refused = take_refused_instructions(said);
    place_in_source(said, text);
    say_in_cuda_words(said);
    std::ranges::move(refused, std::back_inserter(said));
    return compiled{std::move(done), std::move(said)};
  };
  std::vector<std::future<compiled>> running;
  std::vector<std::string> objects;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const bool is_c = sources[i].language == source_language::c;
    const std::string from = (folder / fmt::format("{}.{}", i, is_c ? "i" : "ii")).string();
    const std::string to = (folder / fmt::format("{}.o", i)).string();
    objects.push_back(to);
    running.push_back(std::async(std::launch::async, [&, from, to, i] {
      const source_language language = sources[i].language;
      const translated_source& s = sources[i];
      process_result first = make_object(t, r, s.text, from, to, language, folder.parent_path());
      if (first.exit_code == 0 || s.other_text.empty()) return with_messages(std::move(first), s.text);
      process_result second = make_object(t, r, s.other_text, from, to, language, folder.parent_path());
      return second.exit_code == 0 ? with_messages(std::move(second), s.other_text)
                                   : with_messages(std::move(first), s.text);
    }));
  }
  bool ok = true;
  for (auto& one : running) {
    compiled done = one.get();
    append(messages, std::move(done.messages));
    ok = ok && done.result.exit_code == 0;
  }
  if (!ok) return {};
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (const std::string more = second_object(objects[i]); fs::exists(more)) objects.push_back(more);
  return objects;
}

// Programs that can load modules: those with headers of the driver API or NVRTC.
bool loads_modules(const tool_chain& t, const std::set<std::string>& files) {
  return std::ranges::any_of(std::array{"/cuda.h", "/nvrtc.h"},
                             [&](const char* header) { return files.count(t.headers + header) != 0; });
}

// In the words of GNU's linker and of LLVM's.
bool lacks_main(std::string_view linker_says) {
  return linker_says.find("undefined reference to `main'") != std::string_view::npos ||
         linker_says.find("undefined symbol: main\n") != std::string_view::npos;
}

std::string text_without_main(const std::string& source, const std::set<std::string>& files_read) {
  const bool has_programs =
      std::ranges::any_of(files_read, [](const std::string& file) { return file.ends_with("/simt/program.hpp"); });
  if (has_programs)
    return source +
           ": it has programs of the simulator's own API (<simt/program.hpp>) and no main(): make a module of it with "
           "simt_add_kernels() in CMake, and run `simrun NAME --module FILE` (docs/building.md); a CUDA program has a "
           "main() that launches its kernels";
  return source + ": there is no main() in it, so there is nothing to run: add one that launches the kernels";
}

// Without the shared libraries whose objects are linked instead.
std::vector<std::string> without_source_objects(std::vector<std::string> link_options) {
  std::erase_if(link_options, [](const std::string& word) {
    return word.ends_with(".so") && !word.starts_with('-') && holds_source_objects(word);
  });
  return link_options;
}

bool compile_and_link(const tool_chain& t, const build_request& r, const std::vector<translated_source>& sources,
                      const fs::path& executable, std::set<std::string> files_read,
                      std::vector<compiler_message>& messages) {
  const work_folder work(executable.string() + ".work");
  if (is_whole_program(executable)) return true;  // another build of the same was faster; its program may run already
  std::optional<std::vector<std::string>> compiled = compile_all(t, r, sources, work.path, messages);
  if (!compiled) return false;
  std::vector<std::string>& objects = *compiled;
  if (r.object) return keep_program(objects.front(), executable), true;
  const std::size_t said = messages.size();
  std::ranges::move(unpack_source_objects(r, work.path, files_read, messages), std::back_inserter(objects));
  if (messages.size() != said) return false;
  for (std::string& library : libraries_behind(t, files_read)) objects.push_back(std::move(library));
  const bool exports = loads_modules(t, files_read);
  build_request whole = r;
  whole.link_options = without_source_objects(r.link_options);
  if (r.shared) {
    if (exports) {
      messages.push_back({.severity = "error",
                          .text = "a shared library that loads modules (cuda.h, nvrtc.h) is not made: make a program"});
      return false;
    }
    objects.push_back((work.path / "sources.o").string());
    const process_result kept = write_source_archive(t, r.objects, (work.path / "sources.s").string(), objects.back());
    append(messages, read_messages(kept.errors));
    if (kept.exit_code != 0) return false;
  }
  const fs::path program = work.path / "program";
  const process_result linked =
      run_linker(t, whole, objects, program.string(), exports ? work.path.string() : std::string());
  if (linked.exit_code != 0 && lacks_main(linked.errors))
    messages.push_back(
        {.text = text_without_main(r.sources.empty() ? r.objects.front() : r.sources.front(), files_read)});
  else
    append(messages, read_messages(linked.errors));
  if (linked.exit_code != 0) return false;
  keep_program(program, executable);
  return true;
}

// Names what is built: the command, the folder it is given in, the translator itself and the compiler's plugin.
digest digest_of_command(const tool_chain& t, const build_request& r) {
  digest command;
  for (const std::string& word : compiler_words(t, r)) command.add(word);
  for (const std::string& word : r.link_options) command.add(word);
  command.add(fs::current_path().string());
  command.add(file_stamp("/proc/self/exe"));
  if (!t.plugin.empty()) command.add(file_stamp(t.plugin));
  command.add(r.all_are_cuda ? "-x cu" : "");
  command.add(r.object ? "-c" : r.shared ? "-shared" : "");
  command.add(r.linked ? "-rdc" : "");
  command.add(r.relaxed_constexpr ? "--expt-relaxed-constexpr" : "");
  for (const std::string& source : r.sources) command.add(fs::absolute(source).string());
  return command;
}

}  // namespace

build_result build(const tool_chain& t, const build_request& r, const fs::path& cache) {
  build_result result;
  std::vector<std::string> given = r.sources;
  std::ranges::copy(r.objects, std::back_inserter(given));
  for (const std::string& file : given)
    if (!fs::is_regular_file(file)) {  // a pipe can be read once only, and a source is read more often
      const bool exists = fs::exists(file);
      result.messages.push_back({.text = fmt::format("{}: {}", file, exists ? "not a regular file" : "no such file")});
      return result;
    }
  const digest command = digest_of_command(t, r);
  const fs::path manifest = cache / (command.text() + ".inputs");
  if (manifest_entry found = find_by_manifest(manifest); !found.executable.empty()) {
    result.executable = std::move(found.executable);
    result.files_read = std::move(found.files_read);
    return result;
  }

  fs::path macros;
  if (const std::string text = macros_of(r); !text.empty()) {
    digest name;
    name.add(text);
    macros = cache / ("macros-" + name.text() + ".h");
    if (!fs::exists(macros)) write_whole_file(macros, text);
  }
  std::vector<translated_source> sources = translate_all(t, r, macros.string());
  digest content = command;
  std::set<std::string>& files_read = result.files_read;
  for (translated_source& s : sources) {
    append(result.messages, std::move(s.messages));
    content.add(s.text);
    files_read.insert(s.files.begin(), s.files.end());
  }
  if (std::ranges::any_of(sources, [](const translated_source& s) { return s.text.empty(); })) return result;
  if (std::ranges::any_of(sources, &translated_source::refused)) {
    const work_folder work(cache / (content.text() + ".work"));
    std::vector<compiler_message> more;
    compile_all(t, r, sources, work.path, more);
    drop_said_before(more, result.messages);
    append(result.messages, std::move(more));
    return result;
  }
  std::vector<std::string> libraries = all_libraries_of(t, r);
  for (const std::string& library : libraries)
    if (!fs::exists(library))
      throw std::runtime_error(fmt::format("{} is missing, with which {} runs are linked; ./simrun builds it", library,
                                           r.check ? "checked" : "plain"));
  std::ranges::copy(r.objects, std::back_inserter(libraries));
  for (const std::string& library : libraries) {
    content.add(file_stamp(library));
    files_read.insert(fs::absolute(library).string());
  }

  const fs::path executable = cache / content.text();
  if (!is_whole_program(executable) && !compile_and_link(t, r, sources, executable, files_read, result.messages))
    return result;
  write_manifest(manifest, executable.string(), files_read);
  result.executable = executable.string();
  return result;
}

}  // namespace simt::cuda_source
