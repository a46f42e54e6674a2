// SPDX-License-Identifier: Apache-2.0
#include "cache.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace simt::cuda_source {

namespace fs = std::filesystem;
namespace uuids = boost::uuids;

digest::digest() { std::ranges::fill(last_, 0); }

void digest::add(std::string_view text) {
  uuids::uuid space;
  std::ranges::copy(last_, space.begin());
  const uuids::uuid next = uuids::name_generator_sha1(space)(text.data(), text.size());
  std::copy(next.begin(), next.end(), last_);
}

std::string digest::text() const {
  uuids::uuid id;
  std::ranges::copy(last_, id.begin());
  return to_string(id);
}

std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (std::string own = variable("SIMT_CACHE_DIR"); !own.empty()) return own;
  if (const std::string caches = variable("XDG_CACHE_HOME"); !caches.empty()) return caches + "/simt";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/simt";
  return fmt::format("/tmp/simt-{}", geteuid());
}

namespace {

[[noreturn]] void no_folder(const fs::path& folder, const std::string& why) {
  throw std::runtime_error(
      fmt::format("cannot make the cache folder {}: {}; set SIMT_CACHE_DIR to a folder that can be "
                  "written",
                  folder.string(), why));
}

// Whether only we and root can put or replace something in it.
bool is_safe(const fs::path& folder, bool ours_alone) {
  struct stat s {};
  if (lstat(folder.c_str(), &s) != 0) return false;
  if (S_ISLNK(s.st_mode) && (s.st_uid == geteuid() || s.st_uid == 0) && !ours_alone) stat(folder.c_str(), &s);
  if (!S_ISDIR(s.st_mode)) return false;
  if (ours_alone) return s.st_uid == geteuid() && (s.st_mode & 077) == 0;
  const bool others_write = (s.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (s.st_mode & S_ISVTX) == 0;
  return (s.st_uid == geteuid() || s.st_uid == 0) && !others_write;
}

// Makes a folder that is ours alone of what is there or not. Says whether it is.
bool take(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) no_folder(folder, std::strerror(errno));
  struct stat s {};
  const bool ours = lstat(folder.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid();
  return ours && ((s.st_mode & 077) == 0 || chmod(folder.c_str(), 0700) == 0) && is_safe(folder, true);
}

}  // namespace

program_cache::program_cache() {
  const fs::path top = cache_folder();
  std::error_code failed;
  if (top.has_parent_path()) fs::create_directories(top.parent_path(), failed);
  if (!failed && mkdir(top.c_str(), 0700) != 0 && errno != EEXIST) failed = {errno, std::generic_category()};
  if (!failed && !fs::is_directory(top)) failed = std::make_error_code(std::errc::not_a_directory);
  if (failed) no_folder(top, failed.message());
  if (is_safe(top, false))
    for (const std::string& name : {std::string("cuda"), fmt::format("cuda-{}", geteuid())})
      if (folder_ = top / name; take(folder_)) return;
  std::string passing = (fs::temp_directory_path() / "simt-build-XXXXXX").string();
  if (mkdtemp(passing.data()) == nullptr) no_folder(passing, std::strerror(errno));
  folder_ = passing;
  passing_ = true;
  remark_ = fmt::format(
      "the cache folder {} is not used, for another user could put programs into it; this one is built in a folder of "
      "its own and not kept. Set SIMT_CACHE_DIR to a folder that only you can write.",
      top.string());
}

program_cache::~program_cache() {
  std::error_code none;
  if (passing_) fs::remove_all(folder_, none);
}

std::string file_stamp(const std::string& file) {
  std::error_code none;
  const auto time = fs::last_write_time(file, none);
  if (none) return "gone";
  return fmt::format("{}:{}", time.time_since_epoch().count(), fs::file_size(file, none));
}

namespace {

[[noreturn]] void cannot_write(const fs::path& file, const std::string& why) {
  throw std::runtime_error(
      fmt::format("cannot write {}: {} (set SIMT_CACHE_DIR to a folder with room)", file.string(), why));
}

// Process numbers repeat where containers share a folder, so the name is the kernel's choice.
class draft {
 public:
  explicit draft(const fs::path& file) : name_(file.string() + ".XXXXXX"), descriptor_(mkstemp(name_.data())) {
    if (descriptor_ < 0) cannot_write(file, std::strerror(errno));
  }
  ~draft() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  draft(const draft&) = delete;
  draft& operator=(const draft&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::write(descriptor_, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) cannot_write(name_, std::strerror(n < 0 ? errno : ENOSPC));
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void rename_to(const fs::path& file) {
    if (close(std::exchange(descriptor_, -1)) != 0) cannot_write(name_, std::strerror(errno));
    if (rename(name_.c_str(), file.c_str()) != 0) cannot_write(file, std::strerror(errno));
    name_.clear();
  }

 private:
  std::string name_;
  int descriptor_;
};

fs::path length_file(const fs::path& program) { return program.string() + ".length"; }

}  // namespace

std::string whole_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
void write_whole_file(const fs::path& file, std::string_view text) {
  draft d(file);
  d.write(text);
  d.rename_to(file);
}

namespace {

// Else a machine that loses power may keep a program's name and length, and zeros.
void let_reach_the_disk(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fdatasync(descriptor);  // a file system that cannot do it keeps no less than without
  close(descriptor);
}

bool begins_as_program(const fs::path& file) {
  std::array<char, SELFMAG> begin{};
  std::ifstream(file, std::ios::binary).read(begin.data(), SELFMAG);
  return std::string_view(begin.data(), SELFMAG) == ELFMAG;
}

}  // namespace

void keep_program(const fs::path& built, const fs::path& place) {
  std::error_code failed;
  let_reach_the_disk(built);
  const auto length = fs::file_size(built, failed);
  if (!failed) fs::permissions(built, fs::perms::owner_all, failed);
  if (!failed) fs::rename(built, place, failed);
  if (failed) cannot_write(place, failed.message());
  write_whole_file(length_file(place), fmt::format("{}\n", length));
}

bool is_whole_program(const fs::path& place) {
  struct stat s {};
  if (lstat(place.c_str(), &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid()) return false;
  if ((s.st_mode & S_IXUSR) == 0 || (s.st_mode & (S_IWGRP | S_IWOTH)) != 0) return false;
  std::ifstream in(length_file(place));
  std::int64_t length = -1;
  return in >> length && length > 0 && length == s.st_size && begins_as_program(place);
}

namespace {
constexpr std::string_view kManifestEnd = "end";
}

void write_manifest(const fs::path& manifest, const std::string& executable, const std::set<std::string>& files_read) {
  std::string text = executable + "\n";
  for (const std::string& file : files_read) text += file_stamp(file) + " " + file + "\n";
  write_whole_file(manifest, text.append(kManifestEnd).append("\n"));
}

manifest_entry find_by_manifest(const fs::path& manifest) {
  std::ifstream in(manifest);
  manifest_entry found;
  if (!std::getline(in, found.executable) || !is_whole_program(found.executable)) return {};
  for (std::string line; std::getline(in, line);) {
    if (line == kManifestEnd) return found;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || file_stamp(line.substr(space + 1)) != line.substr(0, space)) return {};
    found.files_read.insert(line.substr(space + 1));
  }
  return {};  // cut off
}

work_folder::work_folder(fs::path where) : path(std::move(where)) {
  for (;;) {
    if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) cannot_write(path, std::strerror(errno));
    lock_ = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0 && errno == ENOENT) continue;
    if (lock_ < 0) cannot_write(path, std::strerror(errno));
    while (flock(lock_, LOCK_EX) != 0 && errno == EINTR) {
    }
    // The folder that was waited for may be gone, and another one in its place.
    struct stat mine {
    }, there{};
    if (fstat(lock_, &mine) == 0 && stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino) break;
    close(std::exchange(lock_, -1));
  }
  std::error_code none;
  for (const fs::directory_entry& left : fs::directory_iterator(path, none)) fs::remove_all(left.path(), none);
}

work_folder::~work_folder() {
  std::error_code none;
  if (std::getenv("SIMT_KEEP_TRANSLATED") == nullptr) fs::remove_all(path, none);
  close(lock_);
}

}  // namespace simt::cuda_source
