// SPDX-License-Identifier: Apache-2.0
#include "build_cuda.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "built_files.hpp"
#include "compiler_text.hpp"
#include "frontends/cuda/driver/process.hpp"
#include "frontends/cuda/driver/source_objects.hpp"
#include "interruption.hpp"
#include "output_file.hpp"
#include "terminal.hpp"

namespace simt::cli {
namespace {

// Where the build or the package put the description of the tool chain.
std::string tool_folder() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  return (self.parent_path() / "../lib/simt").lexically_normal().string();
}

// `read`: the files of all of them.
int make_objects(cuda_source::source_command c, run_options& o, std::set<std::string>& read) {
  const std::vector<std::string> sources = c.build.sources;
  c.build.object = true;
  for (const std::string& source : sources) {
    o.program = source;
    c.build.sources = {source};
    std::optional<cuda_source::program_cache> cache;
    cuda_source::build_result plain, checked;
    c.build.check = false;
    if (const int code = build_program(c, o, cache, plain); code >= 0) return code;
    c.build.check = true;
    c.build.options.emplace_back("-w");  // it has been warned of
    if (const int code = build_program(c, o, cache, checked); code >= 0) return code;
    c.build.options.pop_back();
    const std::string to = object_file_of(c, source);
    const cuda_source::tool_chain tools = cuda_source::read_tool_chain(tool_folder());
    if (const int code = write_object(tools, plain, checked, to); code != kExitClean) return code;
    read.insert(plain.files_read.begin(), plain.files_read.end());
    if (c.wants_objects && c.wants_dependencies) {
      cuda_source::source_command rule = c;
      rule.output = to;
      if (c.dependencies.empty()) rule.dependencies = std::filesystem::path(to).replace_extension(".d").string();
      if (const int code = write_dependencies(rule, plain.files_read); code != kExitClean) return code;
    }
  }
  return kExitClean;
}

// The objects of all sources, in a folder. Each has a name of its own, for an archive's members are told apart by it.
int make_parts(const cuda_source::source_command& c, run_options& o, const std::filesystem::path& folder,
               std::set<std::string>& read, std::vector<std::string>& objects) {
  cuda_source::source_command part = c;
  for (const std::string& source : c.build.sources) {
    const std::string name = std::filesystem::path(source).stem().string();
    part.build.sources = {source};
    part.output = objects.emplace_back((folder / fmt::format("{}-{}.o", objects.size(), name)).string());
    if (const int code = make_objects(part, o, read); code != kExitClean) return code;
  }
  return kExitClean;
}

// The first of the files that cannot be read as an input; empty: all can.
std::string not_a_file(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (!std::filesystem::is_regular_file(file))
      return fmt::format("{}: {}", file, std::filesystem::exists(file) ? "not a regular file" : "no such file");
  return {};
}

int complain_of(const std::string& wrong) {
  complain(wrong);
  return kExitUsage;
}

}  // namespace

int build_program(const cuda_source::source_command& c, const run_options& o,
                  std::optional<cuda_source::program_cache>& cache, cuda_source::build_result& built) {
  try {
    progress shown(o.quiet);
    shown.show(fmt::format("building {}", o.program));
    const cuda_source::tool_chain tools = cuda_source::read_tool_chain(tool_folder());
    cache.emplace();
    if (!cache->remark().empty()) complain(cache->remark());
    const interruption interrupted([](int) { cuda_source::end_processes(); });
    built = cuda_source::build(tools, c.build, cache->folder());
    if (interrupted.signal() != 0) return 128 + interrupted.signal();
  } catch (const std::runtime_error& error) {
    complain(reason(error));
    return kExitUsage;
  }
  const bool to_terminal = isatty(STDERR_FILENO) != 0;
  print_to_stderr(compiler_text(built.messages, style_for(STDERR_FILENO, o.color), to_terminal));
  if (!built.executable.empty()) return -1;
  complain(fmt::format("{} was not built", o.program));
  return kExitUsage;
}

int make_objects(cuda_source::source_command c, run_options& o) {
  std::set<std::string> read;
  return make_objects(std::move(c), o, read);
}

int make_shared_library(cuda_source::source_command c, run_options& o) {
  std::optional<cuda_source::program_cache> cache;
  std::set<std::string> read;
  try {
    cache.emplace();
    const cuda_source::work_folder work(cache->folder() / fmt::format("library-{}.work", getpid()));
    std::vector<std::string> objects;
    if (const int code = make_parts(c, o, work.path, read, objects); code != kExitClean) return code;
    c.build.objects.insert(c.build.objects.begin(), objects.begin(), objects.end());
    c.build.sources.clear();
    o.program = c.output;
    cuda_source::build_result built;
    if (const int code = build_program(c, o, cache, built); code >= 0) return code;
    read.merge(built.files_read);
    for (const std::string& object : objects) read.erase(object);
    if (c.wants_dependencies)
      if (const int code = write_dependencies(c, read); code != kExitClean) return code;
    return place(built.executable, c.output);
  } catch (const std::runtime_error& error) {
    complain(reason(error));
    return kExitUsage;
  }
}

int make_archive(cuda_source::source_command c, run_options& o) {
  try {
    if (const std::string wrong = not_a_file(c.build.objects); !wrong.empty()) return complain_of(wrong);
    const cuda_source::program_cache cache;
    const cuda_source::work_folder work(cache.folder() / fmt::format("archive-{}.work", getpid()));
    std::set<std::string> read;
    std::vector<std::string> objects;
    if (const int code = make_parts(c, o, work.path, read, objects); code != kExitClean) return code;
    if (c.wants_dependencies)
      if (const int code = write_dependencies(c, read); code != kExitClean) return code;
    const std::string made = (work.path / "archive.a").string();
    std::vector<std::string> archiver = {"/bin/sh", "-c", R"(exec ar "$@")", "ar", "qcs", made};
    for (const auto* files : {&c.build.objects, &objects})
      archiver.insert(archiver.end(), files->begin(), files->end());
    if (const cuda_source::process_result done = cuda_source::run_process(archiver); done.exit_code != 0)
      return complain_of(fmt::format("the archive {} could not be made: {}", c.output, done.errors));
    return place_file(made, c.output, 0666);
  } catch (const std::runtime_error& error) {
    return complain_of(reason(error));
  }
}

int link_device_code(const cuda_source::source_command& c) {
  try {
    if (const std::string wrong = not_a_file(c.build.objects); !wrong.empty()) return complain_of(wrong);
    const cuda_source::program_cache cache;
    const cuda_source::work_folder work(cache.folder() / fmt::format("device-{}.work", getpid()));
    const std::string made = (work.path / "linked.o").string();
    const cuda_source::process_result done =
        write_linked_device_code(cuda_source::read_tool_chain(tool_folder()), (work.path / "linked.s").string(), made);
    if (done.exit_code != 0) return complain_of(fmt::format("{} could not be made: {}", c.output, done.errors));
    return place_file(made, c.output, 0666);
  } catch (const std::runtime_error& error) {
    return complain_of(reason(error));
  }
}

}  // namespace simt::cli
