// SPDX-License-Identifier: Apache-2.0
// What changes inside functions of the device.
//
// A kernel stays a function of the same type, so templates, overloads, default arguments and pointers to it work as
// they are; its body becomes a lambda that holds the parameters and takes the built-in variables by value. Called
// with a pending launch configuration it runs that lambda for every thread. In other device functions the built-in
// variables are calls that ask the running stack.
#include <algorithm>
#include <set>

#include "translate.hpp"
#include "variables.hpp"

namespace simt::cuda_source {
namespace {

const char* built_in_call(const token& t) {
  if (t.is("threadIdx")) return "(::simt_cuda::thread_idx())";
  if (t.is("blockIdx")) return "(::simt_cuda::block_idx())";
  if (t.is("blockDim")) return "(::simt_cuda::block_dim())";
  if (t.is("gridDim")) return "(::simt_cuda::grid_dim())";
  return nullptr;
}

bool is_member(const unit& u, position p) {
  const position before = u.previous(p);
  return before != kNowhere && (u.at(before).is(".") || u.at(before).is("->"));
}

// Regions of a kernel's body where the built-in variables are not in scope, for they are parameters of the kernel's
// lambda: lambdas without captures, and local classes.
std::vector<std::pair<position, position>> closed_regions(const unit& u, const device_function& f) {
  std::vector<std::pair<position, position>> found;
  const position end = u.mate(f.body);
  for (position p = u.next(f.body); p < end; p = u.next(p)) {
    const token& t = u.at(p);
    position open = kNowhere;
    if (t.is("[") && u.at(u.next(p)).is("]")) {
      const position before = u.previous(p);
      const token& b = u.at(before);
      if (b.is_name() || b.is("]") || b.is(")")) continue;  // T x[]
      open = u.next(u.next(p));
      if (u.at(open).is("(") && u.mate(open) != kNowhere) open = u.next(u.mate(open));
      while (!u.at(open).is("{") && !u.at(open).is(";") && open < end) open = u.next(open);
    } else if (t.is("struct") || t.is("class") || t.is("union")) {
      open = u.next(p);
      while (!u.at(open).is("{") && !u.at(open).is(";") && !u.at(open).is("(") && open < end) open = u.next(open);
    }
    if (open != kNowhere && u.at(open).is("{") && u.mate(open) != kNowhere) found.emplace_back(open, u.mate(open));
  }
  return found;
}

void built_ins(unit& u, const device_function& f) {
  const auto closed = f.global ? closed_regions(u, f) : std::vector<std::pair<position, position>>{};
  // What initialises members stands before the body.
  const position first = f.global || f.parameters == kNowhere ? f.body : u.mate(f.parameters);
  for (position p = first; p < u.mate(f.body); p = u.next(p)) {
    const char* call = u.at(p).is_name() ? built_in_call(u.at(p)) : nullptr;
    if (call == nullptr || is_member(u, p)) continue;
    const bool is_closed =
        std::any_of(closed.begin(), closed.end(), [&](const auto& r) { return p > r.first && p < r.second; });
    bool in_other = false;  // a __device__ lambda inside a kernel has a region of its own
    if (const device_function* g = u.function_at(p); g != nullptr && g->body != f.body) in_other = g->global;
    if (!in_other && (!f.global || is_closed)) u.replace(p, call);
  }
}

// Behind template <..>.
position behind_template(const unit& u, position p, position end) {
  int open = 0;
  for (p = u.next(p); p < end; p = u.next(p)) {
    if (u.at(p).is("<")) ++open;
    if (u.at(p).is(">") && --open == 0) return u.next(p);
  }
  return end;
}

// Default initialisers of members: what asks for the thread there is evaluated where an object is made. A name without
// a dot behind it may be a member of that name.
void built_ins_of_class(unit& u, position open) {
  const position end = u.mate(open);
  bool initialises = false;
  for (position p = u.next(open); p < end;) {
    const token& t = u.at(p);
    const bool opens = t.is("(") || t.is("{");
    if (t.is("template")) {
      p = behind_template(u, p, end);
      continue;
    }
    if (t.is("{") && !initialises) {
      const position behind = u.next(u.mate(p));
      initialises = u.at(u.previous(p)).is_name() && (u.at(behind).is(";") || u.at(behind).is(","));
    }
    if (opens && !initialises) {
      p = u.next(u.mate(p));
      continue;
    }
    if (t.is(";")) initialises = false;
    if (t.is("=") && !u.at(u.previous(p)).is("operator")) initialises = true;
    const char* call = initialises && t.is_name() ? built_in_call(t) : nullptr;
    if (call != nullptr && u.at(u.next(p)).is(".") && !is_member(u, p)) u.replace(p, call);
    p = u.next(p);
  }
}

void built_ins_of_classes(unit& u) {
  const position end = u.tokens.size() - 1;
  for (position p = 0; p < end; ++p) {
    if (!u.at(p).is("struct") && !u.at(p).is("class") && !u.at(p).is("union")) continue;
    position open = u.next(p);
    while (open < end && !u.at(open).is("{") && !u.at(open).is(";") && !u.at(open).is("(")) open = u.next(open);
    if (open < end && u.at(open).is("{") && u.mate(open) != kNowhere) built_ins_of_class(u, open);
  }
}

// `::operator new(n)` and `operator delete[](p)` are called by their names; what follows a type declares them.
void allocation_function(unit& u, position p) {
  const position word = u.next(p), before = u.previous(p);
  const bool makes = u.at(word).is("new"), qualified = u.at(before).is("::");
  position open = u.next(word);
  if (u.at(open).is("[")) open = u.next(u.next(open));
  const bool declares = !qualified && ((u.at(before).is_name() && !u.at(before).is("return")) || u.at(before).is("*") ||
                                       u.at(before).is("&"));
  if ((!makes && !u.at(word).is("delete")) || !u.at(open).is("(") || declares) return;
  if (qualified) u.replace(before, "");
  u.remove(p, u.previous(open));
  u.replace(p, makes ? "::simt_cuda::heap_new" : "::simt_cuda::heap_delete");
}

void device_heap(unit& u, const device_function& f) {
  for (position p = f.body; p < u.mate(f.body); p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is("operator") && t.is_name()) allocation_function(u, p);
    if (!t.is_name() || is_member(u, p)) continue;
    const position before = u.previous(p), after = u.next(p);
    if (u.at(before).is("operator") || u.at(before).is("::")) continue;
    if (t.is("clock") && u.at(after).is("(") && u.at(u.next(after)).is(")") && !f.host)
      u.replace(p, "::simt_cuda::device_clock");
    if (t.is("malloc") && u.at(after).is("(")) u.replace(p, "::simt_cuda::heap<>().allocate");
    if (t.is("free") && u.at(after).is("(")) u.replace(p, "::simt_cuda::device_free");
    if (t.is("new") && !u.at(after).is("(")) u.replace(p, "new (::simt_cuda::heap<>())");
    if (t.is("delete") && !u.at(before).is("=") && !u.edits.count(p)) {
      u.replace(p, "::simt_cuda::device_delete(");
      position q = after;
      if (u.at(q).is("[")) {
        u.remove(q, u.mate(q));
        q = u.next(u.mate(q));
      }
      while (!u.at(q).is(";") && u.at(q).kind != token_kind::end) q = u.next(q);
      u.edits[q].before = ")" + u.edits[q].before;
    }
  }
}

// The last token of the statement that begins at p.
position end_of_statement(const unit& u, position p) {
  const token& t = u.at(p);
  if (t.is("{") && u.mate(p) != kNowhere) return u.mate(p);
  if (t.is("do")) {
    const position tail = u.next(u.next(end_of_statement(u, u.next(p))));  // behind `while`
    return u.mate(tail) == kNowhere ? tail : u.next(u.mate(tail));
  }
  if (t.is("if") || t.is("for") || t.is("while") || t.is("switch")) {
    position open = u.next(p);
    while (!u.at(open).is("(") && u.at(open).kind != token_kind::end) open = u.next(open);  // if constexpr
    if (u.mate(open) == kNowhere) return open;
    const position end = end_of_statement(u, u.next(u.mate(open)));
    return t.is("if") && u.at(u.next(end)).is("else") ? end_of_statement(u, u.next(u.next(end))) : end;
  }
  while (!u.at(p).is(";") && u.at(p).kind != token_kind::end)
    p = (u.at(p).is("(") || u.at(p).is("{")) && u.mate(p) != kNowhere ? u.next(u.mate(p)) : u.next(p);
  return p;
}

// A loop that waits for a volatile variable must let other threads run: the one that writes it may need this OS
// thread.
void volatile_loops(unit& u, const device_function& f) {
  constexpr const char* kYield = "::simt_cuda::spin(); ";
  std::set<position> ends_of_do;
  for (position p = u.next(f.body); p < u.mate(f.body); p = u.next(p)) {
    const token& t = u.at(p);
    if (t.is("do")) {
      const position body = u.next(p), end = end_of_statement(u, body);
      ends_of_do.insert(u.next(end));
      if (u.at(body).is("{")) {
        u.edits[body].after += kYield;
      } else {
        u.edits[body].before = std::string("{ ") + kYield + u.edits[body].before;
        u.edits[end].after += " }";
      }
    }
    if ((!t.is("while") && !t.is("for")) || ends_of_do.contains(p)) continue;
    const position open = u.next(p);
    if (!u.at(open).is("(") || u.mate(open) == kNowhere) continue;
    const position body = u.next(u.mate(open));
    if (t.is("for") && !u.at(body).is(";")) {
      const bool endless = u.at(u.next(open)).is(";");
      if (!endless) continue;
    }
    if (u.at(body).is("{")) {
      u.edits[body].after = " " + std::string(kYield) + u.edits[body].after;
    } else if (u.at(body).is(";")) {
      u.replace(body, std::string("{ ") + kYield + "}");
    } else if (!u.at(body).is("if") && !u.at(body).is("for") && !u.at(body).is("while") && !u.at(body).is("do") &&
               !u.at(body).is("switch")) {
      u.edits[body].before = std::string("{ ") + kYield + u.edits[body].before;
      u.edits[end_of_statement(u, body)].after += " }";
    }
  }
}

bool has_volatile_data(const unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is_name() || !(u.tokens[p].is("volatile") || u.tokens[p].is("__volatile__"))) continue;
    const position before = u.previous(p);
    if (before == kNowhere || !(u.at(before).is("asm") || u.at(before).is("__asm__"))) return true;
  }
  return false;
}

// The run begins with main, when every static object exists, and so ends before any is destroyed.
void enter_main(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is("main") || !u.tokens[p].is_name() || !u.at(u.next(p)).is("(") || u.mate(u.next(p)) == kNowhere)
      continue;
    const position before = u.previous(p);
    position body = u.next(u.mate(u.next(p)));
    while (u.at(body).is("noexcept") || u.at(body).is("try") || u.at(body).is("->") || u.at(body).is("int"))
      body = u.next(body);
    if (before != kNowhere && (u.at(before).is("int") || u.at(before).is("auto")) && u.at(body).is("{"))
      u.edits[body].after += " ::simt_cuda::enter_main();";
  }
}

// Parameters that are references, as captures: by value the lambda would hold copies of what they refer to.
std::string reference_captures(const unit& u, const device_function& f) {
  if (f.parameters == kNowhere || u.mate(f.parameters) == kNowhere) return {};
  std::string captures;
  const position end = u.mate(f.parameters);
  position name = kNowhere;
  bool reference = false, in_default = false, pack = false;
  for (position p = u.next(f.parameters); p <= end; p = u.next(p)) {
    const token& t = u.at(p);
    if (p == end || t.is(",")) {
      if (reference && name != kNowhere) captures += ", &" + std::string(u.at(name).text) + (pack ? "..." : "");
      name = kNowhere;
      reference = in_default = pack = false;
      if (p == end) break;
    } else if (in_default) {
      if ((t.is("(") || t.is("{") || t.is("[")) && u.mate(p) != kNowhere) p = u.mate(p);
    } else if (t.is("=")) {
      in_default = true;
    } else if (t.is("<") && u.angle_end(p) != kNowhere) {
      p = u.angle_end(p);
    } else if (t.is("(") && !u.at(u.next(p)).is("&") && !u.at(u.next(p)).is("&&") && u.mate(p) != kNowhere) {
      p = u.mate(p);  // parameters of a function pointer
    } else if (t.is("&") || t.is("&&")) {
      reference = true;
    } else if (t.is("...")) {
      pack = true;
    } else if (reference && t.is_name()) {
      name = p;
    }
  }
  return captures;
}

// The arguments of __cluster_dims__ before a kernel's name; empty: it has none.
std::string cluster_dimensions(const unit& u, const device_function& f) {
  for (position p = u.previous(f.parameters); p != kNowhere; p = u.previous(p)) {
    const token& t = u.at(p);
    if (t.is(";") || t.is("{") || t.is("}")) return {};
    if (!t.is(")") || u.mate(p) == kNowhere) continue;
    const position open = u.mate(p), word = u.previous(open);
    if (word != kNowhere && u.at(word).is("__cluster_dims__")) {
      std::string text;
      for (position q = u.next(open); q < p; q = u.next(q)) text += std::string(u.at(q).text) + " ";
      return text;
    }
    p = open;
  }
  return {};
}

// Notes the place of each exit of a kernel: before every `return;` and at the end of the body. A `return;` of a lambda
// in the kernel gets the same note; it does no harm, for the last note before the thread exits counts.
void note_exits(unit& u, const device_function& kernel) {
  constexpr const char* kExit = "::simt_cuda::leave_kernel();";
  const position end = u.mate(kernel.body);
  for (position p = u.next(kernel.body); p < end; p = u.next(p)) {
    if (!u.at(p).is_name() || !u.at(p).is("return") || !u.at(u.next(p)).is(";")) continue;
    u.edits[p].before =
        std::string("for (") + kExit + ";) " + u.edits[p].before;  // one statement, also of a constructor
  }
  // Begins with a keyword, so that a last statement without its `;` is told as that.
  u.edits[end].before += std::string("for (") + kExit + " false;) {} ";
}

// Whether unqualified names in `f` mean those of the variable's namespace.
bool sees_namespace_of(const unit& u, const device_function& f, std::string_view name) {
  if (name.empty()) return true;
  for (position p = 0; p < u.tokens.size(); ++p)
    if (u.tokens[p].is("using") && mentions(u, p, std::min(p + 8, f.body), name)) return true;
  for (position p = u.previous(f.body); p != kNowhere; p = u.previous(p)) {
    if ((u.at(p).is("}") || u.at(p).is(")")) && u.mate(p) != kNowhere)
      p = u.mate(p);
    else if (u.at(p).is("{") && u.previous(p) != kNowhere && u.at(u.previous(p)).text == name)
      return true;
  }
  return false;
}

// The declaration that `f` begins with if it uses the variable; where it names the namespace, too, a call of a function
// stands for the name.
std::string use_outer_shared(unit& u, const device_function& f, const outer_shared_variable& s) {
  for (position p = f.body; p < u.mate(f.body); p = u.next(p)) {
    if (!u.at(p).is_name() || u.at(p).text != s.name || !u.at(u.previous(p)).is("::")) continue;
    const token& qualifier = u.at(u.previous(u.previous(p)));
    if (qualifier.is_name() ? qualifier.text == s.name_space : s.name_space.empty())
      u.replace(p, "simt_V_" + s.name + "()");
  }
  const position first = f.parameters == kNowhere ? f.body : f.parameters;
  const bool is_used = mentions(u, f.body, u.mate(f.body), s.name) && !mentions(u, first, f.body, s.name) &&
                       !declares(u, f.body, s.name) && sees_namespace_of(u, f, s.name_space);
  return is_used ? " " + s.declaration : std::string();
}

}  // namespace

void translate_bodies(unit& u) {
  enter_main(u);
  const bool is_volatile = has_volatile_data(u);
  built_ins_of_classes(u);
  for (const device_function& f : u.functions) {
    built_ins(u, f);
    if (is_volatile) volatile_loops(u, f);
    const device_function* outer = u.function_at(f.body);
    if (outer == nullptr) device_heap(u, f);
    std::string inside;
    if (outer == nullptr)
      for (const outer_shared_variable& s : u.outer_shared) inside += use_outer_shared(u, f, s);
    edit& open = u.edits[f.body];
    if (f.global) {
      const std::string cluster = cluster_dimensions(u, f);
      open.after = (cluster.empty() ? "" : " ::simt_cuda::use_cluster(::dim3(" + cluster + "));") +
                   " ::simt_cuda::run_kernel(__PRETTY_FUNCTION__, [=" + reference_captures(u, f) +
                   "]([[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::uint3 blockIdx,"
                   " [[maybe_unused]] const ::dim3 blockDim, [[maybe_unused]] const ::dim3 gridDim) " +
                   (u.marks_spaces ? mark_of_space(u.host_sees_another ? "callable" : "device") + " " : std::string()) +
                   "mutable -> void {" + inside + open.after;
      note_exits(u, f);
      u.edits[u.mate(f.body)].before += "}); ";
    } else {
      open.after = inside + open.after;
    }
  }
}

}  // namespace simt::cuda_source
