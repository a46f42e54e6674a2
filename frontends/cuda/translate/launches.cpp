// SPDX-License-Identifier: Apache-2.0
// kernel<<<grid, block, shared, stream>>>(arguments): finds where the kernel expression begins and the launch ends.
#include <set>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

// The first token of the postfix expression that ends before `open`, or kNowhere.
position kernel_begin(const unit& u, position open) {
  position p = u.previous(open);
  for (;;) {
    if (p == kNowhere) return kNowhere;
    if (u.at(p).is(">")) {
      const position angle = u.angle_begin(p);
      if (angle == kNowhere) return kNowhere;
      p = u.previous(angle);
      if (p == kNowhere || !u.at(p).is_name()) return kNowhere;
    } else if (u.at(p).is(")") || u.at(p).is("]")) {
      const position bracket = u.mate(p);
      if (bracket == kNowhere) return kNowhere;
      const position before = u.previous(bracket);
      const bool call =
          before != kNowhere &&
          (u.at(before).is_name() || u.at(before).is(")") || u.at(before).is("]") || u.at(before).is(">")) &&
          !u.at(before).is("return") && !u.at(before).is("else");
      if (!call || (u.at(p).is(")") && u.at(before).is(")"))) {
        if (u.at(p).is("]")) {
          p = before;
          continue;
        }
        return bracket;
      }
      p = before;
      continue;
    } else if (!u.at(p).is_name()) {
      return kNowhere;
    }
    position before = u.previous(p);
    if (before != kNowhere && u.at(before).is("template")) before = u.previous(p = before);
    if (before != kNowhere && (u.at(before).is("::") || u.at(before).is(".") || u.at(before).is("->"))) {
      const position outer = u.previous(before);
      const bool named = outer != kNowhere &&
                         (u.at(outer).is_name() || u.at(outer).is(">") || u.at(outer).is(")") || u.at(outer).is("]")) &&
                         !u.at(outer).is("return") && !u.at(outer).is("else") && !u.at(outer).is("do");
      if (!named) return before;  // a leading ::
      p = outer;
      continue;
    }
    return p;
  }
}

// The first > of the >>> that closes `open`.
position launch_close(const unit& u, position open) {
  for (position p = u.next(open);; p = u.next(p)) {
    const token& t = u.at(p);
    if (t.kind == token_kind::end || t.is(";") || t.is(")") || t.is("]") || t.is("}")) return kNowhere;
    if (t.is("(") || t.is("[") || t.is("{")) {
      if (u.mate(p) == kNowhere) return kNowhere;
      p = u.mate(p);
    } else if (t.is("<") && u.angle_end(p) != kNowhere && !u.at(u.next(u.angle_end(p))).is(">")) {
      p = u.angle_end(p);
    } else if (t.is(">")) {
      const position second = u.next(p), third = u.next(second);
      if (u.at(second).is(">") && u.at(third).is(">") && u.at(u.next(third)).is("(")) return p;
    }
  }
}

// [first, end) is `void*`, `const void*` or `void const*`.
bool is_pointer_to_void(const unit& u, position first, position end) {
  bool is_void = false, pointer = false;
  for (position p = first; p < end; p = u.next(p)) {
    if (u.at(p).is("void"))
      is_void = true;
    else if (u.at(p).is("*") && !pointer)
      pointer = true;
    else if (!u.at(p).is("const"))
      return false;
  }
  return is_void && pointer;
}
bool is_cast_to_void_pointer(const unit& u, position open) {
  return u.at(open).is("(") && u.mate(open) != kNowhere && is_pointer_to_void(u, u.next(open), u.mate(open));
}

// cudaLaunchKernel((void*)k, ..): the type of the kernel is needed, so the cast goes.
void remove_kernel_casts(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    int argument = -1;
    for (const char* w : {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaFuncSetAttribute",
                          "cudaFuncGetAttributes", "cudaFuncSetCacheConfig"})
      if (t.is(w)) argument = 0;
    for (const char* w : {"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                          "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "cudaOccupancyMaxActiveClusters",
                          "cudaOccupancyMaxPotentialClusterSize", "cudaLaunchKernelEx", "cudaLaunchKernelExC"})
      if (t.is(w)) argument = 1;
    for (const char* w : {"cudaOccupancyMaxPotentialBlockSize", "cudaOccupancyMaxPotentialBlockSizeVariableSMem"})
      if (t.is(w)) argument = 2;
    if (argument < 0) continue;
    const position open = u.next(p);
    if (!u.at(open).is("(")) continue;
    position q = u.next(open);
    for (int i = 0; i < argument; ++i) {
      while (!u.at(q).is(",") && q < u.mate(open)) q = u.at(q).is("(") ? u.next(u.mate(q)) : u.next(q);
      q = u.next(q);
    }
    if (!u.at(q).is("(")) {
      if (u.at(q).is("reinterpret_cast") && u.at(u.next(q)).is("<")) {
        const position end = u.angle_end(u.next(q));
        if (end != kNowhere) u.remove(q, end);
      }
      continue;
    }
    if (is_cast_to_void_pointer(u, q)) u.remove(q, u.mate(q));
  }
}

// Behind the kernel that begins at `p`: its expression ends with a statement, or is one of a list.
position behind_kernel(const unit& u, position p) {
  while (u.at(p).kind != token_kind::end && !u.at(p).is(";") && !u.at(p).is(",") && !u.at(p).is("}")) {
    position last = p;
    if (u.at(p).is("(")) last = u.mate(p);
    if (u.at(p).is("<") && u.angle_end(p) != kNowhere) last = u.angle_end(p);
    p = u.next(last);
  }
  return p;
}

// params.func = (void*)f; of a graph's node: whatever `f` is, a kernel may be behind it.
void note_graph_kernels(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is("func") || !u.tokens[p].is_name()) continue;
    const position before = u.previous(p), equals = u.next(p), open = u.next(equals);
    if (before == kNowhere || !(u.at(before).is(".") || u.at(before).is("->")) || !u.at(equals).is("=")) continue;
    if (!is_cast_to_void_pointer(u, open)) continue;
    const position end = behind_kernel(u, u.next(u.mate(open)));
    u.remove(open, u.mate(open));
    u.edits[open].before += "::simt_cuda::kernel_address(";
    u.edits[end].before += ")";
  }
}

// Of all kernels that the text declares.
std::set<std::string_view> names_of_kernels(const unit& u) {
  std::set<std::string_view> names;
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is("__global__")) continue;
    for (position q = u.next(p); !u.at(q).is(";") && !u.at(q).is("{") && u.at(q).kind != token_kind::end;
         q = u.next(q)) {
      if (u.at(q).is("(")) {
        const position before = u.previous(q);
        if (u.at(before).is_name() && !u.at(before).text.starts_with("__")) {
          names.insert(u.at(before).text);
          break;
        }
        if (u.mate(q) == kNowhere) break;
        q = u.mate(q);
      }
    }
  }
  return names;
}

// The last token of a kernel's name with its template arguments, perhaps behind `&` and namespaces; kNowhere: something
// else begins at `p`.
position end_of_kernel_name(const unit& u, position p, const std::set<std::string_view>& kernels) {
  if (u.at(p).is("&")) p = u.next(p);
  if (u.at(p).is("::")) p = u.next(p);
  while (u.at(p).is_name() && u.at(u.next(p)).is("::")) p = u.next(u.next(p));
  if (!u.at(p).is_name() || !kernels.contains(u.at(p).text)) return kNowhere;
  const position angle = u.next(p);
  return u.at(angle).is("<") && u.angle_end(angle) != kNowhere ? u.angle_end(angle) : p;
}

// void* f = (void*)kernel; and what else such a cast stands in.
void note_kernel_addresses(unit& u) {
  const std::set<std::string_view> kernels = names_of_kernels(u);
  if (kernels.empty()) return;
  for (position p = 0; p < u.tokens.size(); ++p) {
    const auto done = u.edits.find(p);
    if (done != u.edits.end() && done->second.replacement) continue;
    if (is_cast_to_void_pointer(u, p)) {
      const position first = u.next(u.mate(p));
      const bool in_parentheses = u.at(first).is("(") && u.mate(first) != kNowhere;
      const position end = end_of_kernel_name(u, in_parentheses ? u.next(first) : first, kernels);
      if (end == kNowhere || (in_parentheses && u.next(end) != u.mate(first))) continue;
      u.remove(p, u.mate(p));
      u.edits[first].before = "::simt_cuda::kernel_address(" + u.edits[first].before;
      u.edits[in_parentheses ? u.mate(first) : end].after += ")";
    } else if (u.tokens[p].is("reinterpret_cast") && u.at(u.next(p)).is("<")) {
      const position open = u.next(p), close = u.angle_end(open);
      if (close == kNowhere || !is_pointer_to_void(u, u.next(open), close)) continue;
      const position first = u.next(close);
      const position end = end_of_kernel_name(u, u.next(first), kernels);
      if (end == kNowhere || u.next(end) != u.mate(first)) continue;
      u.remove(p, close);
      u.edits[p].before += "::simt_cuda::kernel_address";
    }
  }
}

}  // namespace

void translate_launches(unit& u) {
  remove_kernel_casts(u);
  note_graph_kernels(u);
  note_kernel_addresses(u);
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is("<<<")) continue;
    launch_expression l;
    l.open = p;
    l.first = kernel_begin(u, p);
    l.close = launch_close(u, p);
    if (l.first == kNowhere || l.close == kNowhere) {
      u.complain(p, "this launch cannot be read; write kernel<<<grid, block, shared bytes, stream>>>(arguments)");
      continue;
    }
    l.arguments = u.next(u.next(u.next(l.close)));
    if (u.mate(l.arguments) == kNowhere) continue;
    u.launches[l.first] = l;
  }
}

}  // namespace simt::cuda_source
