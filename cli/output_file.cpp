// SPDX-License-Identifier: Apache-2.0
// Report files through POSIX descriptors: the open and the write are far apart in time.
#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace simt::cli {
namespace {

std::string advice(int error) {
  switch (error) {
    case ENOENT:
      return "; create the directory first";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; choose a place that you may write to";
    case EISDIR:
      return "; name a file in it";
    default:
      return "";
  }
}

}  // namespace

output_file::~output_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string output_file::open(std::string_view option, const std::string& path) {
  if (path.empty()) return {};
  path_ = path;
  if (path == "-") {
    std::fflush(stdout);
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
      return fmt::format("{}: standard output cannot be used: {}", option, std::strerror(errno));
    }
    standard_output_ = true;
    return {};
  }
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return {};
  return fmt::format("{}: cannot write {}: {}{}", option, path, std::strerror(errno), advice(errno));
}

std::string output_file::write(std::string_view text) {
  struct stat kind {};
  const bool regular = ::fstat(descriptor_, &kind) == 0 && S_ISREG(kind.st_mode) && !standard_output_;
  bool failed = regular && ::ftruncate(descriptor_, 0) != 0;
  while (!failed && !text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    failed = written <= 0;
    if (!failed) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return failed ? fmt::format("cannot write {}: {}", path_ == "-" ? "standard output" : path_, std::strerror(errno))
                : "";
}

}  // namespace simt::cli
