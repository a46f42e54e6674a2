// SPDX-License-Identifier: Apache-2.0
// kernel<<<grid, block, shared, stream>>>(arguments): finds where the kernel expression begins and the launch ends.
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
    bool is_void = false, pointer = false, other = false;
    for (position r = u.next(q); r < u.mate(q); r = u.next(r)) {
      if (u.at(r).is("void"))
        is_void = true;
      else if (u.at(r).is("*"))
        pointer = true;
      else if (!u.at(r).is("const"))
        other = true;
    }
    if (is_void && pointer && !other) u.remove(q, u.mate(q));
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

// params.func = (void*)kernel; of a graph's node: the pointer goes on without its type, so it is noted with it here.
void note_graph_kernels(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is("func") || !u.tokens[p].is_name()) continue;
    const position before = u.previous(p), equals = u.next(p), open = u.next(equals);
    if (before == kNowhere || !(u.at(before).is(".") || u.at(before).is("->")) || !u.at(equals).is("=")) continue;
    const position is_void = u.next(open), star = u.next(is_void);
    if (!u.at(open).is("(") || !u.at(is_void).is("void") || !u.at(star).is("*") || u.next(star) != u.mate(open))
      continue;
    const position end = behind_kernel(u, u.next(u.mate(open)));
    u.remove(open, u.mate(open));
    u.edits[open].before += "::simt_cuda::graph_kernel(";
    u.edits[end].before += ")";
  }
}

}  // namespace

void translate_launches(unit& u) {
  remove_kernel_casts(u);
  note_graph_kernels(u);
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
