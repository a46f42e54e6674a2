// SPDX-License-Identifier: Apache-2.0
// The headers that are compiled once for all sources: where a source is cut, and what is made when.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "frontends/cuda/driver/cache.hpp"
#include "frontends/cuda/driver/line_markers.hpp"
#include "frontends/cuda/driver/precompiled_headers.hpp"
#include "scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;
using namespace simt::cuda_source;

std::string long_headers() {
  std::string text = "# 1 \"/headers/cuda_runtime.h\" 3\n# 1 \"/usr/include/stdio.h\" 3 4\n";
  while (text.size() < 300'000) text += "int puts(const char* text);\n";
  return text;
}

// A compiler that writes down that it ran, and what it was asked for into its last word but one.
tool_chain fake_compiler(const fs::path& folder, int exit_code) {
  const fs::path script = folder / "compiler";
  write_whole_file(script, "#!/bin/sh\necho run >> " + (folder / "runs").string() +
                               "\nfor last; do :; done\necho made > \"$last\"\nexit " + std::to_string(exit_code) +
                               "\n");
  fs::permissions(script, fs::perms::owner_all);
  tool_chain t;
  t.compiler = script.string();
  t.plugin = "plugin.so";
  return t;
}

std::size_t runs(const fs::path& folder) {
  std::ifstream in(folder / "runs");
  std::size_t n = 0;
  for (std::string line; std::getline(in, line);) ++n;
  return n;
}

}  // namespace

TEST_CASE("a source is cut where the headers of the system's end") {
  const std::string headers = long_headers(),
                    source = "# 7 \"a file.cu\"\nint main() {}\n# 3 \"/usr/include/math.h\" 3\n";
  const std::string text = "# 1 \"a file.cu\"\n" + headers + source;
  const parts_of_source parts = split_at_end_of_headers(text);
  CHECK(parts.headers == headers);
  CHECK(parts.rest == "# 1 \"a file.cu\"\n" + source);
}

TEST_CASE("what has no long headers in front is not cut") {
  CHECK(split_at_end_of_headers("").headers.empty());
  CHECK(split_at_end_of_headers("int main() {}\n").headers.empty());
  CHECK(split_at_end_of_headers("# 1 \"a.cu\"\n# 1 \"h\" 3\nint x;\n# 2 \"a.cu\"\n").headers.empty());
  CHECK(split_at_end_of_headers("# 1 \"a.cu\"\n" + long_headers()).headers.empty());  // and nothing behind
}

TEST_CASE("headers behind the first line of a source are cut off, too, up to its first own line") {
  const std::string headers = long_headers(), own = "# 9 \"a file.cu\"\n\n\nint main() {}\n" + headers;
  const parts_of_source parts = split_at_first_own_line("# 1 \"a file.cu\"\n\n\n# 4 \"own.h\" 1\n \n" + headers +
                                                        "# 7 \"a file.cu\" 2\n\n" + headers + own);
  CHECK(parts.headers == headers + headers);
  CHECK(parts.rest == own);
  CHECK(split_at_first_own_line("# 1 \"a.cu\"\nint x;\n" + headers).headers.empty());
  CHECK(split_at_first_own_line("# 1 \"a.cu\"\n# 1 \"own.h\" 1\nint x;\n# 2 \"a.cu\" 2\n" + headers).headers.empty());
  CHECK(split_at_first_own_line("# 1 \"a.cu\"\n# 1 \"h\" 3\nint x;\n").headers.empty());  // not worth it
  CHECK(split_at_first_own_line("").headers.empty());
}

TEST_CASE("headers that follow others are compiled on top of those") {
  const scratch_folder folder;
  const tool_chain t = fake_compiler(folder.path, 0);
  const std::string first = precompiled_headers(t, {}, long_headers(), folder.path),
                    second = precompiled_headers(t, {}, long_headers(), folder.path, first);
  CHECK(fs::exists(second));
  CHECK(first != second);
  CHECK(runs(folder.path) == 2);
}

TEST_CASE("headers are compiled once for a set of options") {
  const scratch_folder folder;
  const tool_chain t = fake_compiler(folder.path, 0);
  build_request r;
  const std::string first = precompiled_headers(t, r, long_headers(), folder.path);
  CHECK(fs::exists(first));
  CHECK(precompiled_headers(t, r, long_headers(), folder.path) == first);
  CHECK(runs(folder.path) == 1);
  r.options = {"-DN=16", "-I", "folder", "-Iother"};  // they were for the preprocessor
  CHECK(precompiled_headers(t, r, long_headers(), folder.path) == first);
  r.check = true;
  r.options = {"-O0"};
  CHECK(precompiled_headers(t, r, long_headers(), folder.path) != first);
  CHECK(runs(folder.path) == 2);
}

TEST_CASE("of headers that nobody uses only a few are kept") {
  const scratch_folder folder;
  const tool_chain t = fake_compiler(folder.path, 0);
  build_request r;
  for (int i = 0; i < 16; ++i) {
    r.options = {"-fvalue=" + std::to_string(i)};
    CHECK(fs::exists(precompiled_headers(t, r, long_headers(), folder.path)));
  }
  std::size_t kept = 0, texts = 0;
  for (const fs::directory_entry& e : fs::directory_iterator(folder.path)) {
    kept += e.path().extension() == ".pch" ? 1 : 0;
    texts += e.path().extension() == ".ii" ? 1 : 0;
  }
  CHECK(kept == 10);
  CHECK(texts == 10);
}

TEST_CASE("without clang, or where it cannot compile them, there are none") {
  const scratch_folder folder;
  tool_chain t = fake_compiler(folder.path, 1);
  CHECK(precompiled_headers(t, {}, long_headers(), folder.path).empty());
  CHECK(precompiled_headers(t, {}, "", folder.path).empty());
  t = fake_compiler(folder.path, 0);
  t.plugin.clear();
  CHECK(precompiled_headers(t, {}, long_headers(), folder.path).empty());
}

TEST_CASE("a damaged file is told from a mistake in the source") {
  process_result r;
  r.exit_code = 1;
  r.errors = "fatal error: malformed or corrupted AST file: 'could not find file'\n";
  CHECK(failed_by_headers(r));
  r.errors = "a.cu:3:1: error: unknown type name 'imt'\n";
  CHECK(!failed_by_headers(r));
}
