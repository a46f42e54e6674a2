// SPDX-License-Identifier: Apache-2.0
// A kernel's text in a file, and races between places of it, with all that is read from the text.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/report/race_places.hpp"

namespace simt::test {

// A place in the text below: line, and the column of a piece of that line.
struct text_place {
  access_kind kind;
  int line;
  std::string at;
};

class kernel_text {
 public:
  explicit kernel_text(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("race_places." + std::to_string(getpid()) + ".cu")) {
    std::ofstream(path_) << text;
  }
  ~kernel_text() { std::filesystem::remove(path_); }
  kernel_text(const kernel_text&) = delete;
  kernel_text& operator=(const kernel_text&) = delete;

  finding race(const text_place& later, const text_place& earlier, cause c = cause::race_blocks,
               int barrier_line = 0) const {
    finding f;
    f.rule = rule::race_global;
    f.cause = c;
    f.kernel = "k";
    f.accesses = {at(later), at(earlier)};
    source_reader sources;
    find_places(sources, f, {"k", path_.string(), barrier_line}, 0);
    return f;
  }

  simt::access at(const text_place& p, const std::string& function = "k") const {
    simt::access a;
    a.kind = p.kind, a.file = path_.string(), a.line = p.line, a.function = function;
    std::ifstream in(path_);
    std::string text;
    for (int i = 0; i < p.line; ++i) std::getline(in, text);
    a.column = static_cast<int>(text.find(p.at)) + 1;
    return a;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace simt::test
