// SPDX-License-Identifier: Apache-2.0
// The texts of --help, laid out for the terminal.
#pragma once

#include <string>
#include <string_view>

#include "run_options.hpp"
#include "sim/report/text_report.hpp"

namespace simt::cli {

// `simrun --help`: what the tool is and its verbs.
std::string tool_help(const text_style& style);

// `simrun VERB --help`.
std::string verb_help(const CLI::App& app, verb_kind verb, const text_style& style);

// `simrun PROGRAM --help`: the program first, then every option.
std::string program_help(const CLI::App& app, const program_info& program, const text_style& style);

// Text of several lines, each laid out by itself.
std::string laid_out(std::string_view text, const text_style& style);

// Options of an app by group, name beside text.
std::string option_table(const CLI::App& app, const text_style& style);

}  // namespace simt::cli
