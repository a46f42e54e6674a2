// SPDX-License-Identifier: Apache-2.0
// The folder of built programs, and the two ways to find one in it.
//
// A command (files, options, tool chain) names a manifest: the executable that was built for it and every file that was
// read for that, with size and time. If none of them changed, nothing is read again. Otherwise the translated text
// names the executable, so that a change that leaves it as it is (a comment, a touched file) costs no compilation.
//
// Several builds may use the folder at once: files are written beside their place and renamed into it, and of builds of
// the same program one compiles while the others wait. What stands in the folder is run, so it has to be ours: a folder
// that another user could have filled is not used, and a program is taken only if it is as long as it was when built.
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

// The folder of built programs: cuda/ in cache_folder(), made with mode 0700 if it is not there; cuda-UID where cuda/
// is another user's; where nothing there can be trusted, one with a name that nobody knew, which goes with this object.
class program_cache {
 public:
  program_cache();  // throws std::runtime_error with advice where no folder can be made
  ~program_cache();
  program_cache(const program_cache&) = delete;
  program_cache& operator=(const program_cache&) = delete;
  const std::filesystem::path& folder() const { return folder_; }
  // Why the folder is none of the usual ones; empty where it is.
  const std::string& remark() const { return remark_; }

 private:
  std::filesystem::path folder_;
  std::string remark_;
  bool passing_ = false;
};

// Size and time of a file as one word; "gone" where there is none.
std::string file_stamp(const std::string& file);

// Empty: it cannot be read.
std::string whole_file(const std::filesystem::path& file);
// Throws std::runtime_error with advice where the text cannot be written; then nothing is left of it.
void write_whole_file(const std::filesystem::path& file, std::string_view text);

// Gives a program its place in the cache, and then says beside it how long it is. Throws as above.
void keep_program(const std::filesystem::path& built, const std::filesystem::path& place);

// Whether a program stands there whole: ours, executable, as long as it was when it got its place, and
// with a program's first bytes.
bool is_whole_program(const std::filesystem::path& place);

void write_manifest(const std::filesystem::path& manifest, const std::string& executable,
                    const std::set<std::string>& files_read);

struct manifest_entry {
  std::string executable;  // empty: no manifest, no whole executable, or a file that changed
  std::set<std::string> files_read;
};
manifest_entry find_by_manifest(const std::filesystem::path& manifest);

// A folder for one build, removed with everything in it at the end; it stays if SIMT_KEEP_TRANSLATED is set. Whoever
// comes second waits until it is gone, and begins with an empty one. Throws std::runtime_error with advice.
class work_folder {
 public:
  explicit work_folder(std::filesystem::path path);
  ~work_folder();
  work_folder(const work_folder&) = delete;
  work_folder& operator=(const work_folder&) = delete;
  const std::filesystem::path path;

 private:
  int lock_ = -1;  // a descriptor of the folder
};

}  // namespace simt::cuda_source
