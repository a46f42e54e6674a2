// SPDX-License-Identifier: Apache-2.0
#include "built_files.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

#include "command_line.hpp"
#include "frontends/cuda/driver/cache.hpp"
#include "frontends/cuda/driver/module_text.hpp"
#include "frontends/cuda/driver/source_objects.hpp"
#include "output_file.hpp"
#include "terminal.hpp"

namespace simt::cli {
namespace {

// wrong: what to complain of; empty: nothing.
int code_of(const std::string& wrong) {
  if (wrong.empty()) return kExitClean;
  complain(wrong);
  return kExitUsage;
}

}  // namespace

int place(const std::string& executable, const std::string& output) { return place_file(executable, output, 0777); }

int place_file(const std::string& made, const std::string& output, unsigned mode) {
  const std::string wrong = write_whole(output, mode, [&](int to) {
    std::ifstream in(made, std::ios::binary);
    std::vector<char> bytes(1U << 20U);
    while (in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) || in.gcount() > 0)
      if (!write_all(to, {bytes.data(), static_cast<std::size_t>(in.gcount())})) return false;
    return in.eof();
  });
  return code_of(wrong);
}

int write_module_file(const cuda_source::source_command& c, const std::string& object) {
  const std::string text = cuda_source::module_text(c.build, c.as_typed, object);
  const std::string wrong = write_whole(c.output, 0666, [&](int to) { return write_all(to, text); });
  return code_of(wrong);
}

int write_dependencies(const cuda_source::source_command& c, const std::set<std::string>& files) {
  const auto escaped = [](const std::string& name) {
    std::string out;
    for (const char letter : name)
      out += letter == ' ' || letter == '#' ? std::string{'\\', letter} : letter == '$' ? "$$" : std::string{letter};
    return out;
  };
  std::string rule = escaped(c.target.empty() ? c.output : c.target) + ":";
  for (const std::string& file : files)
    rule += " \\\n " + escaped(std::filesystem::absolute(file).lexically_normal().string());
  const std::string wrong = write_whole(c.dependencies, 0666, [&](int to) { return write_all(to, rule + "\n"); });
  return code_of(wrong);
}

int write_object(const cuda_source::tool_chain& tools, const cuda_source::build_result& plain,
                 const cuda_source::build_result& checked, const std::string& to) {
  const cuda_source::work_folder work(checked.executable + ".work");
  const std::string made = (work.path / "both.o").string();
  const cuda_source::process_result assembled = write_source_object(
      tools, plain.executable, checked.executable, plain.files_read, (work.path / "both.s").string(), made);
  const std::string wrong =
      assembled.exit_code != 0
          ? "the object file could not be put together: " + assembled.errors
          : write_whole(to, 0666, [&](int descriptor) { return write_all(descriptor, cuda_source::whole_file(made)); });
  return code_of(wrong);
}

}  // namespace simt::cli
