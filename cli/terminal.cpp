// SPDX-License-Identifier: Apache-2.0
// Terminal facts and the few writes that every verb shares.
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include "sim/report/terminal_text.hpp"

namespace simt::cli {
namespace {

constexpr std::size_t kWidthWithoutTerminal = 100;
constexpr std::size_t kLargestWidth = 120;  // longer lines are hard to read

std::size_t width_of(int stream) {
  winsize size{};
  if (::isatty(stream) != 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::clamp<std::size_t>(size.ws_col, 40, kLargestWidth);
  }
  if (const char* columns = std::getenv("COLUMNS")) {
    const long value = std::strtol(columns, nullptr, 10);
    if (value > 0) return std::clamp<std::size_t>(static_cast<std::size_t>(value), 40, kLargestWidth);
  }
  return kWidthWithoutTerminal;
}

bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text = value;
    return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos || text.find("UTF8") != text.npos;
  }
  return false;
}

int lost = 0;

}  // namespace

text_style style_for(int stream, std::string_view color) {
  text_style style;
  const char* no_color = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool wanted =
      (no_color == nullptr || *no_color == '\0') && (kind == nullptr || std::string_view(kind) != "dumb");
  style.color = color == "always" || (color == "auto" && wanted && ::isatty(stream) != 0);
  style.unicode = is_utf8();
  style.width = width_of(stream);
  style.breaks_lines = ::isatty(stream) != 0;
  return style;
}

bool print(std::string_view text) {
  const bool done = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!done && lost == 0) lost = errno;
  return done;
}

void print_to_stderr(std::string_view text) { (void)!write(STDERR_FILENO, text.data(), text.size()); }
int lost_output() { return lost; }

void complain(std::string_view message) {
  const text_style style = style_for(STDERR_FILENO, "auto");
  // Scripts look for words, and where a line would end depends on the paths in it.
  const std::size_t width = ::isatty(STDERR_FILENO) != 0 ? style.width - 8 : std::numeric_limits<std::size_t>::max();
  std::string out;
  bool first = true;
  for (const std::string& line : wrap(printable(message), width)) {
    out += first ? paint("simrun: ", tone::error, style.color) + line + "\n" : "        " + line + "\n";
    first = false;
  }
  std::fflush(stdout);
  std::fwrite(out.data(), 1, out.size(), stderr);
}

std::string reason(const std::exception& error) {
  const auto* const file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (file == nullptr) return error.what();
  const std::string where = file->path1().string();
  // An error without a path is of the one that relative paths begin with.
  return (where.empty() ? "the working directory" : where) + ": " + file->code().message();
}

progress::progress(bool quiet) : active_(!quiet && ::isatty(STDERR_FILENO) != 0) {}

progress::~progress() { clear(); }

void progress::show(std::string_view text) {
  if (!active_) return;
  const std::string line = "\r\x1b[K" + shortened(printable(text), width_of(STDERR_FILENO) - 1);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void progress::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

std::string shell_quoted(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace simt::cli
