// SPDX-License-Identifier: Apache-2.0
// The folder of built programs, and the two ways to find one in it.
//
// A command (files, options, tool chain) names a manifest: the executable that was built for it and every file that was
// read for that, with size and time. If none of them changed, nothing is read again. Otherwise the translated text
// names the executable, so that a change that leaves it as it is (a comment, a touched file) costs no compilation.
//
// Several builds may use the folder at once: files are written beside their place and renamed into it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace simt::cuda_source {

// What is added to it, as a name for files: name-based UUIDs of RFC 4122 (SHA-1), each in the name space of the last.
class digest {
 public:
  digest();
  void add(std::string_view text);
  std::string text() const;

 private:
  unsigned char last_[16];
};

// $SIMT_CACHE_DIR, else simt/ in $XDG_CACHE_HOME or ~/.cache, else a folder of this user in /tmp.
std::string cache_folder();

// cuda/ in it, made if it is not there. Throws std::runtime_error with advice.
std::filesystem::path open_program_cache();

// Size and time of a file as one word; "gone" where there is none.
std::string file_stamp(const std::string& file);

// Throws std::runtime_error with advice where the text cannot be written.
void write_whole_file(const std::filesystem::path& file, std::string_view text);

void write_manifest(const std::filesystem::path& manifest, const std::string& executable,
                    const std::set<std::string>& files_read);

// The executable that a manifest names; empty where there is no manifest, no executable, or a file that changed.
std::string find_by_manifest(const std::filesystem::path& manifest);

// A folder for one build, removed with everything in it at the end; it stays if SIMT_KEEP_TRANSLATED is set.
class work_folder {
 public:
  explicit work_folder(std::filesystem::path path);
  ~work_folder();
  work_folder(const work_folder&) = delete;
  work_folder& operator=(const work_folder&) = delete;
  const std::filesystem::path path;
};

}  // namespace simt::cuda_source
