// SPDX-License-Identifier: Apache-2.0
// Calls that allocate, copy, fill, free or time, and whose result the program throws away: a failure of theirs goes
// unnoticed, so the runtime notes it. cudaMemcpy(..); becomes ::simt_cuda::ignored_result{"cudaMemcpy"} =
// cudaMemcpy(..);
#include <algorithm>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

constexpr const char* kCalls[] = {
    "cudaMalloc",          "cudaMallocManaged", "cudaMallocHost",    "cudaMallocAsync",      "cudaMallocPitch",
    "cudaHostAlloc",       "cudaFree",          "cudaFreeHost",      "cudaFreeAsync",        "cudaMemcpy",
    "cudaMemcpyAsync",     "cudaMemcpy2D",      "cudaMemcpy2DAsync", "cudaMemcpyToSymbol",   "cudaMemcpyFromSymbol",
    "cudaMemset",          "cudaMemsetAsync",   "cudaEventRecord",   "cudaEventElapsedTime", "cudaEventSynchronize",
    "cudaStreamWaitEvent",
};

// The neighbours of a call, unless they come of a macro that a header defines: what such a macro does is not looked
// into.
position before(const unit& u, position p) {
  while (p-- > 0)
    if (u.tokens[p].kind != token_kind::directive) return u.tokens[p].kind == token_kind::opaque ? kNowhere : p;
  return kNowhere;
}
position behind(const unit& u, position p) {
  while (++p < u.tokens.size())
    if (u.tokens[p].kind != token_kind::directive) return u.tokens[p].kind == token_kind::opaque ? kNowhere : p;
  return kNowhere;
}

// Where a statement may begin behind p. Behind (void) the result is thrown away on purpose.
bool ends_before_statement(const unit& u, position p) {
  const token& t = u.at(p);
  if (t.is(")")) {
    const position open = u.mate(p);
    return open != kNowhere && !(u.at(u.next(open)).is("void") && u.next(u.next(open)) == p);
  }
  return t.is(";") || t.is("{") || t.is("}") || t.is("else") || t.is("do");
}

}  // namespace

void mark_ignored_results(unit& u) {
  for (position p = 1; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name() || std::none_of(std::begin(kCalls), std::end(kCalls), [&](const char* c) { return t.is(c); }))
      continue;
    const position open = u.next(p);
    if (!u.at(open).is("(") || u.mate(open) == kNowhere || u.function_at(p) != nullptr) continue;
    const position first = before(u, p), last = behind(u, u.mate(open));
    if (first == kNowhere || last == kNowhere || !u.at(last).is(";") || !ends_before_statement(u, first)) continue;
    u.edits[p].before = "::simt_cuda::ignored_result{\"" + std::string(t.text) + "\"} = " + u.edits[p].before;
  }
}

}  // namespace simt::cuda_source
