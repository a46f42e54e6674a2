// SPDX-License-Identifier: Apache-2.0
#include "parting_lines.hpp"

#include <algorithm>

namespace simt {
namespace {

// From the kernel inwards; the last is the access itself.
stack_frame frame(const access& a, std::size_t depth) {
  const std::size_t calls = a.stack.size();
  return depth < calls ? a.stack[calls - 1 - depth] : stack_frame{a.function, a.file, a.line};
}

access at(const access& a, const stack_frame& f) {
  access out = a;
  if (f.line != a.line || f.function != a.function) out.column = 0;
  out.function = f.function;
  out.line = f.line;
  return out;
}

}  // namespace

std::pair<access, access> parting_lines(const access& later, const access& earlier) {
  const std::size_t depth = std::min(later.stack.size(), earlier.stack.size());
  for (std::size_t i = 0; i <= depth; ++i) {
    const stack_frame x = frame(later, i), y = frame(earlier, i);
    // Their sources are found by the accesses' own path.
    if (x.function != y.function || x.file != later.file || y.file != earlier.file || x.file != y.file) break;
    if (x.line > 0 && y.line > 0 && x.line != y.line) return {at(later, x), at(earlier, y)};
  }
  // The outer calls of one side may be missing: what was called last is not always on record.
  if (later.file != earlier.file || frame(later, 0).function == frame(earlier, 0).function) return {later, earlier};
  for (std::size_t i = 0; i <= later.stack.size(); ++i)
    for (std::size_t j = 0; j <= earlier.stack.size(); ++j) {
      const stack_frame x = frame(later, i), y = frame(earlier, j);
      const bool same = x.function == y.function && x.file == later.file && y.file == later.file;
      if (same && x.line > 0 && y.line > 0 && x.line != y.line) return {at(later, x), at(earlier, y)};
    }
  return {later, earlier};
}

std::vector<access> common_calls(const access& later, const access& earlier) {
  const access parting = parting_lines(later, earlier).first;
  std::vector<access> calls;
  for (std::size_t i = 0; i < std::min(later.stack.size(), earlier.stack.size()); ++i) {
    const stack_frame f = frame(later, i);
    if (f.function == parting.function && f.line == parting.line) break;
    if (f.file == later.file && f.line > 0) calls.push_back(at(later, f));
  }
  return calls;
}

}  // namespace simt
