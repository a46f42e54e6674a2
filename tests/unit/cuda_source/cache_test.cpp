// SPDX-License-Identifier: Apache-2.0
// The cache of built programs: names, manifests, folders.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

constexpr uid_t kStranger = 12345;

mode_t mode_of(const fs::path& file) {
  struct stat s {};
  REQUIRE(stat(file.c_str(), &s) == 0);
  return s.st_mode & 07777;
}

void keep(const fs::path& program, std::string_view text) {
  const fs::path built = program.string() + ".built";
  write_whole_file(built, text);
  keep_program(built, program);
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
  const std::set<std::string> files = {source.string(), (folder.path / "with space.h").string()};
  CHECK(find_by_manifest(manifest).executable == "");
  keep(program, "\177ELF");
  write_whole_file(source, "int main() {}");
  write_manifest(manifest, program.string(), files);
  CHECK(find_by_manifest(manifest).executable == program.string());
  CHECK(find_by_manifest(manifest).files_read == files);
  SUBCASE("a file of another size") { write_whole_file(source, "int main() { }"); }
  SUBCASE("a file of another time") {
    fs::last_write_time(source, fs::last_write_time(source) + std::chrono::seconds(1));
  }
  SUBCASE("a file that is gone") { fs::remove(source); }
  SUBCASE("a file that was not there") { write_whole_file(folder.path / "with space.h", ""); }
  SUBCASE("no executable") { fs::remove(program); }
  SUBCASE("an executable that was cut off") { fs::resize_file(program, 0); }
  SUBCASE("a manifest that was cut off") { fs::resize_file(manifest, fs::file_size(manifest) - 4); }
  CHECK(find_by_manifest(manifest).executable == "");
}

TEST_CASE("a program is taken only if it is ours, executable and as long as it was") {
  const scratch_folder folder;
  const fs::path program = folder.path / "program";
  CHECK_FALSE(is_whole_program(program));
  keep(program, "\177ELF5");
  REQUIRE(is_whole_program(program));
  SUBCASE("empty") { fs::resize_file(program, 0); }
  SUBCASE("truncated") { fs::resize_file(program, 4); }
  SUBCASE("of the same length, but zeros") { std::ofstream(program) << std::string(5, '\0'); }
  SUBCASE("not executable") { fs::permissions(program, fs::perms::owner_read); }
  SUBCASE("others may write it") { fs::permissions(program, fs::perms::owner_all | fs::perms::others_write); }
  SUBCASE("a link to something else") {
    fs::remove(program);
    fs::create_symlink("/bin/true", program);
  }
  SUBCASE("nobody said how long it was") { fs::remove(program.string() + ".length"); }
  SUBCASE("another user's") {
    if (geteuid() != 0) return;
    REQUIRE(chown(program.c_str(), kStranger, kStranger) == 0);
  }
  CHECK_FALSE(is_whole_program(program));
  keep(program, "\177ELF3");  // built again in its place
  CHECK(is_whole_program(program));
}

TEST_CASE("the folder of built programs is ours alone, or it is not used") {
  const scratch_folder folder;
  const fs::path top = folder.path / "deep" / "cache", usual = top / "cuda";
  setenv("SIMT_CACHE_DIR", top.c_str(), 1);
  const auto opened = [] {
    const program_cache cache;
    CHECK(mode_of(cache.folder()) == 0700);
    return std::pair(cache.folder(), cache.remark());
  };
  CHECK(opened() == std::pair(usual, std::string()));
  CHECK(mode_of(top) == 0700);
  SUBCASE("one of ours that was open to others is closed") {
    fs::permissions(usual, fs::perms::all);
    CHECK(opened() == std::pair(usual, std::string()));
  }
  SUBCASE("where everybody may write, nothing is kept") {
    fs::permissions(top, fs::perms::all);
    const auto [used, remark] = opened();
    CHECK(used.string().find(top.string()) == std::string::npos);
    CHECK_FALSE(fs::exists(used));
    CHECK(remark.find(top.string()) != std::string::npos);
    CHECK(remark.find("SIMT_CACHE_DIR") != std::string::npos);
  }
  if (geteuid() == 0) {
    SUBCASE("another user's folder") {
      REQUIRE(chown(usual.c_str(), kStranger, kStranger) == 0);
      CHECK(opened().first == top / "cuda-0");
    }
    SUBCASE("in another user's folder nothing is ours") {
      REQUIRE(chown(top.c_str(), kStranger, kStranger) == 0);
      CHECK(opened().second != "");
    }
  }
  SUBCASE("a link that another user may have made") {
    fs::remove(usual);
    fs::create_symlink(folder.path, usual);
    CHECK(opened().first == top / ("cuda-" + std::to_string(geteuid())));
  }
  unsetenv("SIMT_CACHE_DIR");
}

// Process numbers repeat in containers, so a draft must not be named after them alone: threads share theirs.
TEST_CASE("a file can be written by many at once") {
  const scratch_folder folder;
  const fs::path file = folder.path / "macros.h";
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < 8; ++i)
      writers.emplace_back([&] {
        for (int k = 0; k < 50; ++k) try {
            write_whole_file(file, "#define N 3\n");
          } catch (const std::runtime_error&) {
            ++failures;
          }
      });
  }
  CHECK(failures == 0);
  CHECK(fs::file_size(file) == 12);
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
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

TEST_CASE("of two builds in one folder the second waits, and begins with an empty folder") {
  const scratch_folder folder;
  const fs::path work = folder.path / "w";
  fs::create_directory(work);
  write_whole_file(work / "left by a build that was killed", "x");
  std::atomic<bool> first_ended = false;
  std::jthread second;
  {
    const work_folder one(work);
    CHECK(fs::is_empty(work));
    write_whole_file(work / "0.ii", "x");
    second = std::jthread([&] {
      const work_folder two(work);
      CHECK(first_ended);
      CHECK(fs::is_empty(work));
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    first_ended = true;
  }
  second.join();
  CHECK_FALSE(fs::exists(work));
}
