// SPDX-License-Identifier: Apache-2.0
// Gives allocations the name of the variable that they are stored in, for reports: cudaMalloc(&d_in, n) is "d_in".
#include "translate.hpp"

namespace simt::cuda_source {

namespace {

bool is_void_pointer(const unit& u, position first, position end) {
  bool is_void = false, pointer = false;
  for (position p = first; p < end; p = u.next(p)) {
    if (u.at(p).is("void"))
      is_void = true;
    else if (u.at(p).is("*"))
      pointer = true;
    else
      return false;
  }
  return is_void && pointer;
}

// Takes away (void**) and reinterpret_cast<void**>( ) around &x: they hide the type of the elements. Gives where the
// rest begins; `end`: behind it.
position without_casts(unit& u, position first, position end) {
  for (;;) {
    if (u.at(first).is("(") && u.mate(first) != kNowhere) {
      const position close = u.mate(first), inside = u.next(first);
      if (is_void_pointer(u, inside, close)) {
        const position after = u.next(close);
        if (!u.at(after).is("&") && !u.at(after).is("(")) return first;
        u.remove(first, close);
        first = after;
        continue;
      }
      if (u.next(close) != end || !(u.at(inside).is("&") || u.at(inside).is("("))) return first;
      u.replace(first, "");
      u.replace(close, "");
      end = close;
      first = inside;
      continue;
    }
    if ((u.at(first).is("reinterpret_cast") || u.at(first).is("static_cast")) && u.at(u.next(first)).is("<")) {
      const position open = u.next(first), close = u.angle_end(open);
      if (close == kNowhere || !is_void_pointer(u, u.next(open), close)) return first;
      const position inner = u.next(close);
      if (!u.at(inner).is("(") || u.mate(inner) == kNowhere || u.next(u.mate(inner)) != end) return first;
      u.remove(first, close);
      first = inner;
      continue;
    }
    return first;
  }
}

}  // namespace

void name_allocations(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    bool allocates = false;
    for (const char* w :
         {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync", "cudaMallocPitch",
          "cudaMallocFromPoolAsync", "cudaMallocArray", "cudaMalloc3DArray", "cuMemAlloc", "cuMemAllocPitch",
          "cuMemAllocManaged", "cuMemAllocAsync", "cuMemAllocHost", "cuMemHostAlloc", "cuMemAddressReserve"})
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
    const position given = first;
    first = without_casts(u, first, end);
    if (first != given) {
      u.edits[first].before = "::simt_cuda::behind_cast(" + u.edits[first].before;
      u.edits[end].before = ")" + u.edits[end].before;
    }
    std::string name;
    for (position q = first; q < end; q = u.next(q)) {
      if (q == first && u.at(q).is("&")) continue;
      if (u.edits.count(q) && u.edits.at(q).replacement && u.edits.at(q).replacement->empty()) continue;
      if (u.at(q).kind == token_kind::text) name.clear();
      name += u.at(q).text;
    }
    if (name.find_first_of("\"\\()") != std::string::npos) continue;
    u.edits[first].before = "::simt_cuda::named(\"" + name + "\", " + u.edits[first].before;
    u.edits[end].before = ")" + u.edits[end].before;
  }
}

}  // namespace simt::cuda_source
