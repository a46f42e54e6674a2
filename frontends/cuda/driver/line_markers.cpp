// SPDX-License-Identifier: Apache-2.0
#include "line_markers.hpp"

#include <algorithm>

namespace simt::cuda_source {
namespace {

constexpr std::size_t kWorthIt = 200'000, kMoreWorthIt = 100'000;  // characters of headers

// `# 12 "file" 3`, of a file that is not the system's (3; 4: as C).
bool is_marker_of_user(std::string_view line) {
  if (!line.starts_with("# ")) return false;
  const std::size_t close = line.rfind('"');
  return close != std::string_view::npos && line.find(" 3", close) == std::string_view::npos;
}

}  // namespace

read_files files_in_line_markers(std::string_view preprocessed) {
  read_files files;
  for (std::size_t at = 0; at < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', at), preprocessed.size());
    const std::string_view line = preprocessed.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("# ")) continue;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open == std::string_view::npos || close <= open + 1) continue;
    if (line[open + 1] == '<' && line[close - 1] == '>') continue;  // <built-in>, <command line>
    if (line[close - 1] == '/') continue;  // the folder of the compilation, which -g asks for: no file was read there
    const std::string file(line.substr(open + 1, close - open - 1));
    files.all.insert(file);
    if (line.find(" 3", close) == std::string_view::npos) files.of_user.insert(file);  // 3: found by -isystem
  }
  return files;
}

parts_of_source split_at_end_of_headers(std::string_view translated) {
  const std::size_t first_end = translated.find('\n');
  if (first_end == std::string_view::npos || !is_marker_of_user(translated.substr(0, first_end))) return {};
  for (std::size_t at = first_end + 1; at < translated.size();) {
    const std::size_t end = std::min(translated.find('\n', at), translated.size());
    if (is_marker_of_user(translated.substr(at, end - at))) {
      const std::string_view headers = translated.substr(first_end + 1, at - first_end - 1);
      if (headers.size() < kWorthIt) return {};
      std::string rest(translated.substr(0, first_end + 1));
      return {std::string(headers), rest.append(translated.substr(at))};
    }
    at = end + 1;
  }
  return {};
}

parts_of_source split_at_first_own_line(std::string_view rest) {
  parts_of_source parts;
  bool in_header = false;
  std::size_t last_own = 0;  // marker
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size() - 1) + 1;
    const std::string_view line = rest.substr(at, end - at);
    if (is_marker_of_user(line)) {
      in_header = false;
      last_own = at;
    } else if (line.starts_with("# ")) {
      in_header = true;
    }
    if (in_header)
      parts.headers += line;
    else if (last_own != at && line.find_first_not_of(" \t\r\n") != std::string_view::npos)
      break;
    at = end;
  }
  if (parts.headers.size() < kMoreWorthIt) return {};
  parts.rest = rest.substr(last_own);
  return parts;
}

}  // namespace simt::cuda_source
