// SPDX-License-Identifier: Apache-2.0
#include "cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstdlib>
#include <fstream>
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
  return fmt::format("/tmp/simt-{}", getuid());
}

fs::path open_program_cache() {
  fs::path folder = fs::path(cache_folder()) / "cuda";
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw std::runtime_error(
        fmt::format("cannot make the cache folder {}: {}; set SIMT_CACHE_DIR to a folder that can be written",
                    folder.string(), failed.message()));
  return folder;
}

std::string file_stamp(const std::string& file) {
  std::error_code none;
  const auto time = fs::last_write_time(file, none);
  if (none) return "gone";
  return fmt::format("{}:{}", time.time_since_epoch().count(), fs::file_size(file, none));
}

void write_whole_file(const fs::path& file, std::string_view text) {
  const fs::path draft = file.string() + fmt::format(".{}", getpid());
  std::ofstream out(draft, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + draft.string() + " (set SIMT_CACHE_DIR to a folder with room)");
  fs::rename(draft, file);
}

void write_manifest(const fs::path& manifest, const std::string& executable, const std::set<std::string>& files_read) {
  std::string text = executable + "\n";
  for (const std::string& file : files_read) text += file_stamp(file) + " " + file + "\n";
  write_whole_file(manifest, text);
}

std::string find_by_manifest(const fs::path& manifest) {
  std::ifstream in(manifest);
  std::string executable;
  if (!std::getline(in, executable) || !fs::exists(executable)) return {};
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || file_stamp(line.substr(space + 1)) != line.substr(0, space)) return {};
  }
  return executable;
}

work_folder::work_folder(fs::path where) : path(std::move(where)) { fs::create_directories(path); }

work_folder::~work_folder() {
  std::error_code none;
  if (std::getenv("SIMT_KEEP_TRANSLATED") == nullptr) fs::remove_all(path, none);
}

}  // namespace simt::cuda_source
