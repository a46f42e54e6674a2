// SPDX-License-Identifier: Apache-2.0
// An asm statement taken apart: its text, its operands, and the words in the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unit.hpp"

namespace simt::cuda_source {

struct asm_statement {
  std::string text;                   // of all its string literals
  std::vector<std::string> operands;  // the expressions in parentheses, %0 first
  position end = kNowhere;            // its closing parenthesis
};

// From the word `asm` on; nothing where it is no statement with operands.
std::optional<asm_statement> read_asm_statement(const unit& u, position p);

// Whether `return` at this place leaves a kernel: only statements stand around it, no lambda and no local class.
bool is_statement_of_kernel(const unit& u, position p);

// Without white space at both ends.
std::string trimmed(std::string s);

// Pieces between the separators that are in no braces and brackets, trimmed; at least one.
std::vector<std::string> split_operands(const std::string& s, char separator);

// The C++ type for a PTX type ("u32"); empty: it is none that is covered.
std::string cpp_type(std::string_view ptx_type);

}  // namespace simt::cuda_source
