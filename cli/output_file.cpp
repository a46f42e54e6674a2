// SPDX-License-Identifier: Apache-2.0
// Report files through POSIX descriptors: the trial and the write are far apart in time.
#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

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
    case ENOSPC:
    case EDQUOT:
      return "; make room, or choose another place";
    default:
      return "";
  }
}

// The folder's draft of a file: its name, and a descriptor (-1: the folder takes none).
struct draft {
  std::string name;
  int descriptor;
};
draft draft_beside(const std::string& path) {
  draft d{path + ".XXXXXX", -1};
  d.descriptor = ::mkostemp(d.name.data(), O_CLOEXEC);
  return d;
}

// Where a link leads, so that it stays one.
std::string target_of(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  std::string target = real != nullptr ? real : path;
  std::free(real);
  return target;
}

std::string cannot_write(const std::string& path, int error) {
  return fmt::format("cannot write {}: {}{}", path, std::strerror(error), advice(error));
}

// Whether both are one file that would be written, if need be by different names. A device takes everything.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  if (a.empty() || b.empty() || (std::filesystem::exists(a, none) && !std::filesystem::is_regular_file(a, none)))
    return false;
  const auto whole = [&none](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
  };
  return a == b || std::filesystem::equivalent(a, b, none) || whole(a) == whole(b);
}

// In place: what is there is lost first.
std::string write_directly(const std::string& path, unsigned mode, const std::function<bool(int)>& write) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, mode);
  if (descriptor < 0) return cannot_write(path, errno);
  const bool written = write(descriptor);
  const int error = errno;
  if (::close(descriptor) == 0 && written) return {};
  return cannot_write(path, written ? errno : error);
}

}  // namespace

std::string written_over(const std::vector<named_file>& files, const std::vector<std::string>& inputs,
                         std::string_view input) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const std::string& one : inputs)
      if (is_same_file(files[i].path, one))
        return fmt::format("{}: {} is {}, which would be lost; name another file", files[i].option, files[i].path,
                           input);
    for (std::size_t k = 0; k < i; ++k)
      if (is_same_file(files[i].path, files[k].path))
        return fmt::format("{} and {} are written to the same file, {}; name two files", files[k].option,
                           files[i].option, files[i].path);
  }
  return {};
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string write_whole(const std::string& path, unsigned mode, const std::function<bool(int)>& write) {
  const std::string target = target_of(path);
  struct stat there {};
  const bool exists = ::stat(target.c_str(), &there) == 0;
  if (exists && !S_ISREG(there.st_mode)) return write_directly(target, mode, write);
  draft d = draft_beside(target);
  if (d.descriptor < 0) return exists ? write_directly(target, mode, write) : cannot_write(path, errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  bool done = write(d.descriptor);
  done = done && ::fchmod(d.descriptor, exists ? there.st_mode & 07777 : mode & ~mask) == 0;
  int error = errno;
  if (::close(d.descriptor) != 0 && done) done = false, error = errno;
  if (done && ::rename(d.name.c_str(), target.c_str()) == 0) return {};
  if (done) error = errno;
  ::unlink(d.name.c_str());
  if (done && exists && (error == EBUSY || error == EPERM || error == EACCES))  // a mount of its own, say
    return write_directly(target, mode, write);
  return cannot_write(path, error);
}

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
    return {};
  }
  struct stat there {};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  if (exists) {
    if (S_ISDIR(there.st_mode)) return fmt::format("{}: {}", option, cannot_write(path, EISDIR));
    if (::access(path.c_str(), W_OK) != 0) return fmt::format("{}: {}", option, cannot_write(path, errno));
    return {};
  }
  const draft d = draft_beside(target_of(path));
  if (d.descriptor < 0) return fmt::format("{}: {}", option, cannot_write(path, errno));
  ::close(d.descriptor);
  ::unlink(d.name.c_str());
  return {};
}

std::string output_file::write(std::string_view text) {
  if (descriptor_ >= 0) return write_all(descriptor_, text) ? "" : cannot_write("standard output", errno);
  return write_whole(path_, 0666, [text](int to) { return write_all(to, text); });
}

}  // namespace simt::cli
