// SPDX-License-Identifier: Apache-2.0
// What a statement does to a word that it reads and writes: x = x + n adds n, x = max(x, n) takes the larger one. Read
// from the text alone, so advice may rest on it, a verdict may not.
#pragma once

#include <string>
#include <string_view>

namespace simt {

// An operation that a GPU has as an atomic one: "+=" and the like, ">" for a maximum, "<" for a minimum.
struct combination {
  std::string operation, operand;  // empty: there is none
};
// How `value` combines what `held` names with something else.
combination combined(std::string_view value, std::string_view held);

// A call of CUDA's or the API's atomic functions.
struct atomic_text {
  std::string call;    // "atomicAdd(&counter, 1)"; empty: there is none
  std::string target;  // "counter"
};
// The one at the column, or the line's only one. Columns count from 1; 0: not known.
atomic_text atomic_in(std::string_view line, int column);

// Whether two expressions are the same place by their text: *p and p[0] are.
bool names_same_word(std::string_view a, std::string_view b);
// Without the brackets around the whole of it: x of (x).
std::string_view without_brackets(std::string_view text);
// A number, a literal's name or a character: what every thread that writes it writes.
bool is_constant(std::string_view value);

}  // namespace simt
