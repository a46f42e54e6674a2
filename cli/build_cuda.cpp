// SPDX-License-Identifier: Apache-2.0
#include "build_cuda.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "built_files.hpp"
#include "compiler_text.hpp"
#include "frontends/cuda/driver/process.hpp"
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
    cuda_source::source_command part = c;
    std::vector<std::string> objects;
    for (const std::string& source : c.build.sources) {
      part.build.sources = {source};
      part.output = objects.emplace_back((work.path / fmt::format("{}.o", objects.size())).string());
      if (const int code = make_objects(part, o, read); code != kExitClean) return code;
    }
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

}  // namespace simt::cli
