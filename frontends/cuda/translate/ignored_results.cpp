// SPDX-License-Identifier: Apache-2.0
// Calls that allocate, copy, fill, free, time, choose or make something, and whose result the program throws away: a
// failure of theirs goes unnoticed, so the runtime notes it. cudaMemcpy(..); becomes
// ::simt_cuda::ignored_result{"cudaMemcpy"} = cudaMemcpy(..); And of a query whose answer nobody looks at nobody knows
// anything: cudaEventQuery(e); becomes ::simt_cuda::unheeded_query(), cudaEventQuery(e);
#include <algorithm>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

// None of those that only advise, or that some devices do not have: a program may well not ask whether it was heard.
constexpr const char* kCalls[] = {
    "cudaMalloc",
    "cudaMallocManaged",
    "cudaMallocHost",
    "cudaMallocAsync",
    "cudaMallocPitch",
    "cudaMallocArray",
    "cudaMalloc3D",
    "cudaMalloc3DArray",
    "cudaHostAlloc",
    "cudaHostRegister",
    "cudaHostUnregister",
    "cudaFree",
    "cudaFreeHost",
    "cudaFreeAsync",
    "cudaFreeArray",
    "cudaMemcpy",
    "cudaMemcpyAsync",
    "cudaMemcpy2D",
    "cudaMemcpy2DAsync",
    "cudaMemcpy2DToArray",
    "cudaMemcpy2DFromArray",
    "cudaMemcpy3D",
    "cudaMemcpy3DAsync",
    "cudaMemcpyToSymbol",
    "cudaMemcpyFromSymbol",
    "cudaMemcpyToSymbolAsync",
    "cudaMemcpyFromSymbolAsync",
    "cudaMemset",
    "cudaMemsetAsync",
    "cudaMemset2D",
    "cudaMemset2DAsync",
    "cudaGetSymbolAddress",
    "cudaHostGetDevicePointer",
    "cudaSetDevice",
    "cudaFuncSetAttribute",
    "cudaStreamCreate",
    "cudaStreamCreateWithFlags",
    "cudaStreamCreateWithPriority",
    "cudaStreamDestroy",
    "cudaStreamWaitEvent",
    "cudaStreamBeginCapture",
    "cudaStreamEndCapture",
    "cudaGraphInstantiate",
    "cudaGraphLaunch",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventDestroy",
    "cudaEventRecord",
    "cudaEventElapsedTime",
    "cudaEventSynchronize",
};
bool is_query(const token& t) { return t.is("cudaEventQuery") || t.is("cudaStreamQuery"); }

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

// Whether a colon ends a label: case 1:, default:, again:. Not that of x ? y : z.
bool ends_label(const unit& u, position colon) {
  int questions = 0;  // that colons behind them answer
  for (position p = before(u, colon); p != kNowhere; p = before(u, p)) {
    const token& t = u.at(p);
    if ((t.is(")") || t.is("]") || t.is("}")) && u.mate(p) != kNowhere) {
      p = u.mate(p);
      continue;
    }
    if (t.is("case") || t.is("default")) return questions == 0;
    if (t.is(":")) ++questions;
    if (t.is("?") && questions-- == 0) return false;
    if (t.is(";") || t.is("{") || t.is("(") || t.is("else") || t.is("do")) break;
  }
  const position name = before(u, colon);
  if (name == kNowhere || !u.at(name).is_name()) return false;
  const position front = before(u, name);
  return front != kNowhere && (u.at(front).is(";") || u.at(front).is("{") || u.at(front).is("}") ||
                               u.at(front).is(")") || (u.at(front).is(":") && ends_label(u, front)));
}

bool opens_for(const unit& u, position open) { return u.at(open).is("(") && u.at(before(u, open)).is("for"); }

// Where a statement may begin behind p. Behind (void) the result is thrown away on purpose.
bool ends_before_statement(const unit& u, position p) {
  const token& t = u.at(p);
  if (t.is(")")) {
    const position open = u.mate(p);
    return open != kNowhere && !(u.at(u.next(open)).is("void") && u.next(u.next(open)) == p);
  }
  if (t.is("]")) {  // [[likely]]
    const position open = u.mate(p);
    return open != kNowhere && u.at(u.next(open)).is("[") && ends_before_statement(u, before(u, open));
  }
  return t.is(";") || t.is("{") || t.is("}") || t.is("else") || t.is("do") || opens_for(u, p) ||
         (t.is(":") && ends_label(u, p));
}

// The whole of x++, f(), g(): what stands behind a comma of it, but for that of return x, f().
bool is_discarded_behind_comma(const unit& u, position comma) {
  for (position p = before(u, comma); p != kNowhere; p = before(u, p)) {
    const token& t = u.at(p);
    if ((t.is(")") || t.is("]") || t.is("}")) && u.mate(p) != kNowhere)
      p = u.mate(p);
    else if (t.is("return") || t.is("throw") || t.is("co_return") || t.is("co_yield"))
      return false;
    else if (t.is(";") || t.is("{") || t.is("(") || t.is("["))
      return t.is(";") || t.is("{") || opens_for(u, p);
  }
  return false;
}

// Whether the expression that goes on behind p ends a statement, or a part of a for's head.
bool ends_statement(const unit& u, position p) {
  for (; p != kNowhere; p = behind(u, p)) {
    const token& t = u.at(p);
    if ((t.is("(") || t.is("[") || t.is("{")) && u.mate(p) != kNowhere)
      p = u.mate(p);
    else if (t.is(";") || t.is(")") || t.is("]") || t.is("}"))
      return t.is(";") || (t.is(")") && u.mate(p) != kNowhere && opens_for(u, u.mate(p)));
  }
  return false;
}

}  // namespace

void mark_ignored_results(unit& u) {
  for (position p = 1; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    const bool listed = std::any_of(std::begin(kCalls), std::end(kCalls), [&](const char* c) { return t.is(c); });
    if (!t.is_name() || (!listed && !is_query(t))) continue;
    const position open = u.next(p);
    if (!u.at(open).is("(") || u.mate(open) == kNowhere || u.function_at(p) != nullptr) continue;
    const position whole = u.at(u.previous(p)).is("::") ? u.previous(p) : p;  // ::cudaMemcpy(..)
    const position front = before(u, whole), last = behind(u, u.mate(open));
    if (front == kNowhere || last == kNowhere) continue;
    const token& end = u.at(last);
    if (!end.is(";") && !end.is(",") && !end.is(")")) continue;
    if (!(u.at(front).is(",") ? is_discarded_behind_comma(u, front) : ends_before_statement(u, front))) continue;
    if (!ends_statement(u, last)) continue;
    const std::string mark = is_query(t) ? std::string("::simt_cuda::unheeded_query(), ")
                                         : "::simt_cuda::ignored_result{\"" + std::string(t.text) + "\"} = ";
    u.edits[whole].before = mark + u.edits[whole].before;
  }
}

}  // namespace simt::cuda_source
