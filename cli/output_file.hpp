// SPDX-License-Identifier: Apache-2.0
// A report file that is opened before the run, so that a path that cannot be written is said before work is lost.
#pragma once

#include <string>
#include <string_view>

namespace simt::cli {

// What is written for "-" goes to standard output; everything else that the process prints there (text for people,
// printf of kernels) goes to standard error from then on, so that the report stays alone.
class output_file {
 public:
  output_file() = default;
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  // Opens for writing without destroying what is there. Returns what is wrong, with advice; empty when it is open. An
  // empty path opens nothing.
  std::string open(std::string_view option, const std::string& path);

  bool is_open() const { return descriptor_ >= 0; }
  bool is_standard_output() const { return standard_output_; }

  // Replaces the contents. Returns what is wrong, or nothing.
  std::string write(std::string_view text);

 private:
  int descriptor_ = -1;
  bool standard_output_ = false;
  std::string path_;
};

}  // namespace simt::cli
