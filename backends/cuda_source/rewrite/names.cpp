// SPDX-License-Identifier: Apache-2.0
// Gives allocations the name of the variable that they are stored in, for reports: cudaMalloc(&d_in, n) is "d_in".
#include "rewrite.hpp"

namespace simt::cuda_source {

void name_allocations(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    bool allocates = false;
    for (const char* w : {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync", "cudaMallocPitch", "cudaMallocFromPoolAsync"})
      allocates = allocates || t.is(w);
    const position open = u.next(p);
    if (!allocates || !u.at(open).is("(") || u.mate(open) == kNowhere) continue;
    position first = u.next(open), end = first;
    while (end < u.mate(open) && !u.at(end).is(",")) {
      if ((u.at(end).is("(") || u.at(end).is("[")) && u.mate(end) != kNowhere) end = u.mate(end);
      if (u.at(end).is("<") && u.angle_end(end) != kNowhere) end = u.angle_end(end);
      end = u.next(end);
    }
    if (!u.at(end).is(",")) continue;
    // (void**)&x: the cast hides the element type.
    if (u.at(first).is("(") && u.at(u.next(first)).is("void") && u.at(u.next(u.next(first))).is("*")) {
      const position after = u.next(u.mate(first));
      if (u.at(after).is("&")) {
        u.remove(first, u.mate(first));
        first = after;
      }
    }
    std::string name;
    for (position q = first; q < end; q = u.next(q)) {
      if (q == first && u.at(q).is("&")) continue;
      if (u.at(q).kind == token_kind::text) name.clear();
      name += u.at(q).text;
    }
    if (name.find_first_of("\"\\()") != std::string::npos) continue;
    u.edits[first].before = "::simt_cuda::named(\"" + name + "\", " + u.edits[first].before;
    u.edits[end].before = ")" + u.edits[end].before;
  }
}

}  // namespace simt::cuda_source
