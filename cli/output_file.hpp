// SPDX-License-Identifier: Apache-2.0
// A report file that is tried before the run, so that a path that cannot be written is said before work is lost, and
// that appears whole or not at all: it is written beside its place and renamed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace simt::cli {

// Makes the file `path` of what `write` puts into a descriptor, or leaves what was there. A device or a pipe is written
// to as it is, and so is a file whose folder takes no other. Returns what is wrong, or nothing.
std::string write_whole(const std::string& path, unsigned mode, const std::function<bool(int)>& write);

// A file that an option names.
struct named_file {
  std::string_view option;
  std::string path;  // empty: none
};

// What is wrong where one of the files would be written over another, or over one of `inputs`, which the message calls
// `input`; else nothing.
std::string written_over(const std::vector<named_file>& files, const std::vector<std::string>& inputs,
                         std::string_view input = "a source");

// Writes all of it; false where that fails, with errno.
bool write_all(int descriptor, std::string_view text);

// What is written for "-" goes to standard output; everything else that the process prints there (text for people,
// printf of kernels) goes to standard error from then on, so that the report stays alone.
class output_file {
 public:
  output_file() = default;
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  // Tries whether the path can be written; nothing there is changed. Returns what is wrong, with advice; empty when all
  // is well. An empty path opens nothing.
  std::string open(std::string_view option, const std::string& path);

  bool is_open() const { return !path_.empty(); }
  bool is_standard_output() const { return descriptor_ >= 0; }

  // Replaces the contents. Returns what is wrong, or nothing.
  std::string write(std::string_view text);

 private:
  int descriptor_ = -1;  // standard output as it was
  std::string path_;
};

}  // namespace simt::cli
