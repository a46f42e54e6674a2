// SPDX-License-Identifier: Apache-2.0
// What the tool knows of the terminal it talks to: width, colours, progress, and how errors are said.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "sim/report/text_report.hpp"

namespace simt::cli {

inline constexpr int kExitClean = 0, kExitMismatch = 1, kExitUsage = 2, kExitFindings = 3, kExitCrash = 4,
                     kExitUnavailable = 77, kExitOfSignal = 128;  // and the signal

// Style for a stream (1 standard output, 2 standard error). color: auto, always or never; auto means a terminal and
// no NO_COLOR in the environment. Width: that of the terminal, else COLUMNS, else 100.
text_style style_for(int stream, std::string_view color);

// Writes text and flushes; false when that failed (disk full, closed pipe).
bool print(std::string_view text);
int lost_output();  // errno of the first text that print() could not write; 0: none

// The same on standard error, where nothing can be said of a failure.
void print_to_stderr(std::string_view text);

// "simrun: message" on standard error: wrapped to a terminal's width, elsewhere one line.
void complain(std::string_view message);

// What an exception says, in the words of this tool where it comes from the file system.
std::string reason(const std::exception& error);

// A line on standard error that is replaced by the next one and gone at the end; silent when standard error is no
// terminal or `quiet`.
class progress {
 public:
  explicit progress(bool quiet);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  void show(std::string_view text);
  void clear();

 private:
  bool active_, shown_ = false;
};

// A word as a shell must see it: quoted where it holds anything unusual.
std::string shell_quoted(std::string_view word);

}  // namespace simt::cli
