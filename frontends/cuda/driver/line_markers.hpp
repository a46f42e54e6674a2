// SPDX-License-Identifier: Apache-2.0
// What the line markers of preprocessed text say: which files were read, and where the source's own lines begin.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace simt::cuda_source {

// What the preprocessor has read: all files, and those among them that are no headers of the system's.
struct read_files {
  std::set<std::string> all, of_user;
};

read_files files_in_line_markers(std::string_view preprocessed);

// A translated source in two: what headers of the system's say before the first line of anybody else, and the rest,
// which begins with a line marker that names the source. `headers` is empty where they are not worth it.
struct parts_of_source {
  std::string headers;
  std::string rest;
};
parts_of_source split_at_end_of_headers(std::string_view translated);
// The rest in two: the headers of the system's that are included before the first line of anybody else that says
// something, without what stands between them, and what follows.
parts_of_source split_at_first_own_line(std::string_view rest);

}  // namespace simt::cuda_source
