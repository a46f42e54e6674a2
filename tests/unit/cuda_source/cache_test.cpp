// SPDX-License-Identifier: Apache-2.0
// The cache of built programs: names, manifests, folders.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "frontends/cuda/driver/cache.hpp"
#include "scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;
using namespace simt::cuda_source;

std::string name_of(std::initializer_list<std::string_view> texts) {
  digest d;
  for (const std::string_view t : texts) d.add(t);
  return d.text();
}

}  // namespace

TEST_CASE("a digest tells texts, their order and where one ends") {
  CHECK(name_of({"a", "b"}) == name_of({"a", "b"}));
  CHECK(name_of({"a", "b"}) != name_of({"b", "a"}));
  CHECK(name_of({"a", "b"}) != name_of({"ab"}));
  CHECK(name_of({"a"}) != name_of({"a", ""}));
  CHECK(name_of({}).size() == 36);
}

TEST_CASE("a manifest finds its executable until a file that was read changes") {
  const scratch_folder folder;
  const fs::path program = folder.path / "program", source = folder.path / "a.cu", manifest = folder.path / "m.inputs";
  CHECK(find_by_manifest(manifest) == "");
  write_whole_file(program, "x");
  write_whole_file(source, "int main() {}");
  write_manifest(manifest, program.string(), {source.string(), (folder.path / "with space.h").string()});
  CHECK(find_by_manifest(manifest) == program.string());
  SUBCASE("a file of another size") { write_whole_file(source, "int main() { }"); }
  SUBCASE("a file of another time") {
    fs::last_write_time(source, fs::last_write_time(source) + std::chrono::seconds(1));
  }
  SUBCASE("a file that is gone") { fs::remove(source); }
  SUBCASE("a file that was not there") { write_whole_file(folder.path / "with space.h", ""); }
  SUBCASE("no executable") { fs::remove(program); }
  CHECK(find_by_manifest(manifest) == "");
}

TEST_CASE("a file that cannot be written is named, with what to do") {
  try {
    write_whole_file("/proc/none/file", "x");
    FAIL("written");
  } catch (const std::runtime_error& e) {
    CHECK(std::string(e.what()).find("/proc/none/file") != std::string::npos);
    CHECK(std::string(e.what()).find("SIMT_CACHE_DIR") != std::string::npos);
  }
}

TEST_CASE("a folder of a build goes with everything in it, unless it is to be kept") {
  const scratch_folder folder;
  const fs::path work = folder.path / "w";
  {
    const work_folder one(work);
    write_whole_file(work / "0.ii", "x");
  }
  CHECK_FALSE(fs::exists(work));
  setenv("SIMT_KEEP_TRANSLATED", "1", 1);
  { const work_folder one(work); }
  unsetenv("SIMT_KEEP_TRANSLATED");
  CHECK(fs::exists(work));
}
