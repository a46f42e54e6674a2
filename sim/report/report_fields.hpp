// SPDX-License-Identifier: Apache-2.0
// The one schema of a run report, "simrun-report/1" (docs/cli.md): one walk over the fields serves writing and reading,
// JSON and CBOR. Private to sim/report.
//
// A walk calls `a(key, field)` for what is always there and `a.optional(key, field)` for what is written only where it
// differs from the default. `a.object(key, walk)` makes a nested object. The JSON file has sentences, `a.said(what)`,
// and not what is of use on this machine or screen only, `a.passed_on(key, field)`.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "run_report.hpp"

namespace simt::data {

using json = nlohmann::ordered_json;

inline constexpr const char* kReportSchema = "simrun-report/1";

// T is U, to write, or U, to read into.
template <class T, class U>
concept is = std::same_as<std::remove_const_t<T>, U>;

template <class A, is<stack_frame> T>
void walk(A& a, T& f) {
  a("function", f.function), a("file", f.file), a("line", f.line);
}

template <class A, is<named_wait> T>
void walk(A& a, T& n) {
  a("barrier", n.barrier), a("arrived", n.arrived), a("expected", n.expected);
}

template <class A, is<access> T>
void walk(A& a, T& x) {
  a("kind", x.kind), a("file", x.file), a("line", x.line), a("column", x.column), a("function", x.function);
  a.passed_on("path", x.path);
  if (x.line == 0) a.optional("pc", x.pc);
  a("actor", x.agent), a("work", x.work);
  a.optional("stream", x.stream), a.optional("kernel", x.kernel);
  if (x.agent == actor::thread) a.position("block", x.block), a.position("thread", x.thread);
  a("value", x.value);
  a.optional("deed", x.deed), a.optional("named", x.named);
  a.said(x);
  a("stack", x.stack);
}

template <class A, is<barrier_place> T>
void walk(A& a, T& p) {
  a.optional("after", p.after), a.optional("before", p.before), a.optional("guard", p.guard);
  a.optional("guard_is_loop", p.guard_is_loop), a.optional("lanes", p.lanes), a.optional("in_loop", p.in_loop);
  a.optional("turn", p.turn), a.optional("turn_begin", p.turn_begin), a.optional("turn_end", p.turn_end);
  a.optional("turn_behind", p.turn_behind), a.optional("turn_synchronizes", p.turn_synchronizes);
  a.optional("turn_is_bare", p.turn_is_bare), a.optional("turn_ends_in_head", p.turn_ends_in_head);
  a.optional("turn_reads_others", p.turn_reads_others), a.optional("call_guard", p.call_guard),
      a.optional("in_two_branches", p.in_two_branches), a.optional("upper", p.upper), a.optional("lower", p.lower);
  a.optional("leave", p.leave), a.optional("turns_share", p.turns_share);
}

template <class A, is<line_update> T>
void walk(A& a, T& u) {
  a("line", u.line), a("target", u.target), a("operation", u.operation), a("operand", u.operand);
  a.optional("value_used", u.value_used);
}

template <class A, is<one_step> T>
void walk(A& a, T& s) {
  a("read_line", s.read_line), a("write_line", s.write_line);
  a.optional("result", s.result), a.optional("call", s.call), a.optional("is_test", s.is_test);
  a.optional("two_statements", s.two_statements);
  a.optional("does_more", s.does_more);
}

template <class A, is<held_lock> T>
void walk(A& a, T& l) {
  a("taken", l.taken), a("given", l.given), a.optional("by_branch", l.by_branch);
  a.optional("fence_behind", l.fence_behind), a.optional("fence_in_front", l.fence_in_front);
  a.optional("takes_relaxed", l.takes_relaxed), a.optional("gives_relaxed", l.gives_relaxed);
  a.optional("store_column", l.store_column), a.optional("target", l.target);
  a.optional("operation", l.operation), a.optional("operand", l.operand);
  a.optional("also_given", l.also_given), a.optional("by_macros", l.by_macros);
}

template <class A, is<copy_wait> T>
void walk(A& a, T& c) {
  a.optional("waits", c.waits), a.optional("leaves", c.leaves), a.optional("barrier", c.barrier),
      a.optional("for_all", c.for_all), a.optional("next_turn", c.next_turn);
  a.optional("own", c.own), a.optional("unbatched", c.unbatched), a.optional("batch_guard", c.batch_guard),
      a.optional("batched", c.batched);
}

template <class A, is<way_to_flag> T>
void walk(A& a, T& w) {
  a.optional("fence", w.fence), a.optional("of_writer", w.of_writer), a.optional("no_barrier", w.no_barrier);
}

template <class A, is<facts> T>
void walk(A& a, T& v) {
  a.optional("barriers", v.barriers), a.optional("barrier_line", v.barrier_line), a.optional("in_place", v.in_place),
      a.optional("loop_end", v.loop_end), a.optional("loop_begin", v.loop_begin);
  a.optional("next_turn", v.next_turn), a.optional("target", v.target), a.optional("update", v.update);
  a.optional("operand", v.operand), a.optional("value_used", v.value_used), a.optional("both_update", v.both_update);
  a.optional("plain_update", v.plain_update), a.optional("update_line", v.update_line);
  a.optional("other_updates", v.other_updates), a.optional("step", v.step), a.optional("flag", v.flag);
  a.optional("steps_of_lanes", v.steps_of_lanes);
  a.optional("same_array", v.same_array), a.optional("narrow_line", v.narrow_line), a.optional("of_grid", v.of_grid);
  a.optional("from_before_loop", v.from_before_loop), a.optional("count", v.count), a.optional("size", v.size);
  a.optional("distance", v.distance), a.optional("offset", v.offset), a.optional("alignment", v.alignment);
  a.optional("address", v.address), a.optional("mask", v.mask), a.optional("lanes", v.lanes);
  a.optional("warp", v.warp), a.optional("lane", v.lane), a.optional("operation", v.operation);
  a.optional("later_scope", v.later_scope), a.optional("earlier_scope", v.earlier_scope);
  a.optional("position", v.position), a.optional("extents", v.extents), a.optional("seconds", v.seconds);
  a.optional("type", v.type), a.optional("text", v.text);
  a.optional("kernels", v.kernels), a.optional("more_kernels", v.more_kernels);
  a.optional("named_barriers", v.named_barriers), a.optional("waits_by_atomics", v.waits_by_atomics),
      a.optional("barrier_object", v.barrier_object);
  a.optional("wait_call", v.wait_call), a.optional("copy", v.copy), a.optional("told", v.told);
  a.optional("cooperative", v.cooperative), a.optional("branch_line", v.branch_line),
      a.optional("between_low", v.between_low), a.optional("between_high", v.between_high),
      a.optional("return_line", v.return_line);
  a.optional("reads_first", v.reads_first), a.optional("next_call", v.next_call);
  a.optional("unlock_line", v.unlock_line), a.optional("two_names", v.two_names), a.optional("lock", v.lock),
      a.optional("place", v.place);
}

template <class A, is<finding> T>
void walk(A& a, T& f) {
  a("rule", f.rule), a("severity", f.severity);
  a.said(f);
  a("cause", f.cause), a("facts", f.facts);
  a("space", f.space), a("object", f.object), a("index", f.index), a("type", f.type), a("bytes", f.bytes);
  a("count", f.count), a("kernel", f.kernel), a("accesses", f.accesses), a("replay", f.replay);
  a.optional("debug", f.debug), a.optional("members", f.members), a.optional("order", f.order);
  a.passed_on("unsure_place", f.unsure_place);
  if (f.part_of >= 0) a("part_of", f.part_of);  // settled by the tool: nobody reads it back
}

template <class A, is<launch_record> T>
void walk(A& a, T& l) {
  a("kernel", l.kernel), a("grid", l.grid), a("block", l.block);
  a.optional("shared_bytes", l.shared_bytes);
  a("milliseconds", l.milliseconds);
  a.optional("execution", l.execution), a.optional("execution_reason", l.execution_reason);
}

template <class A, is<output_summary> T>
void walk(A& a, T& o) {
  a("count", o.count);
  a.number("sum", o.sum, o.integral), a.numbers("head", o.head, o.integral);
  a("integral", o.integral);
  a.passed_on("hash", o.hash);
}

template <class A, is<order_step> T>
void walk(A& a, T& s) {
  a("block", s.block), a("thread", s.thread), a("kind", s.kind), a("file", s.file), a("line", s.line);
  a.optional("older", s.older), a.optional("later", s.later), a.optional("departs", s.departs);
}

template <class A, is<thread_order> T>
void walk(A& a, T& o) {
  a("text", o.text), a("steps", o.steps);
}

template <class A, is<step_record> T>
void walk(A& a, T& s) {
  a("steps", s.steps), a("threads", s.threads), a("new_places", s.new_places), a("trail", s.trail), a("cut", s.cut);
  a("disturbed", s.disturbed), a("missed", s.missed), a.optional("unkept", s.unkept), a("units", s.units);
}

template <class A, is<timing> T>
void walk(A& a, T& t) {
  a("min", t.min), a("median", t.median), a("max", t.max);
}

template <class A, is<plot_data> T>
void walk(A& a, T& p) {
  a("form", p.kind), a("title", p.title), a("values", p.values), a("columns", p.columns), a("low", p.low);
  a("high", p.high);
}

template <class A, is<recorded_launch> T>
void walk(A& a, T& l) {
  a("kernel", l.kernel), a("blocks", l.blocks), a("threads", l.threads), a("picks", l.picks);
  a.optional("older_values", l.older_values);
}

template <class A, is<recorded_order> T>
void walk(A& a, T& o) {
  a("schedule", o.schedule), a("seed", o.seed), a("workers", o.workers);
  a.optional("cut", o.cut), a.optional("memory_model", o.memory_model);
  a.optional("usual_exit_code", o.usual_exit_code);
  a("launches", o.launches), a("digest", o.digest);
}

template <class A, is<warp_sample> T>
void walk(A& a, T& s) {
  a("operation", s.operation), a("block", s.block), a("warp", s.warp), a("bytes", s.bytes), a("cost", s.cost);
  a("offsets", s.offsets);
}

template <class A, is<profiled_line> T>
void walk(A& a, T& l) {
  a("file", l.file), a("line", l.line), a("path", l.path), a("counters", l.counters), a("samples", l.samples),
      a("stands_in", l.stands_in);
}

template <class A, is<profiled_kernel> T>
void walk(A& a, T& k) {
  a("kernel", k.kernel), a("launches", k.launches), a("threads_per_block", k.threads_per_block);
  a("static_shared", k.static_shared), a("dynamic_shared", k.dynamic_shared), a("registers", k.registers),
      a("stack", k.stack);
  a("partial", k.partial), a("counters", k.counters), a("lines", k.lines);
}

template <class A, is<run_report> T>
void walk(A& a, T& r) {
  a("program", r.program), a("backend", r.backend), a("dialect", r.dialect), a("check", r.check);
  a.object("schedule", [&r](A& s) { s("name", r.schedule), s("seed", r.seed); });
  a("verdict", r.verdict);
  a.object("result",
           [&r](A& s) { s("status", r.result.status), s("detail", r.result.detail), s("outputs", r.result.outputs); });
  a("launches", r.launches);
  a.object("judged", [&r](A& s) {
    s("launches", r.judged.launches), s("accesses", r.judged.accesses), s("checks", r.judged.checks);
    s("not_checked", r.judged.not_checked);
    s.object("excused", [&r](A& e) { e("volatile", r.judged.excused_volatile); });
    s.passed_on("doubtful", r.judged.doubtful);
  });
  a("findings", r.findings);
  a.optional("errors_left_out", r.errors_left_out), a.optional("warnings_left_out", r.warnings_left_out);
  a.optional("interrupted_by", r.interrupted_by);
  a.optional("error", r.error), a.optional("host_crashed", r.host_crashed);
  a("notes", r.notes);
  a.object("request", [&r](A& s) { s("arguments", r.arguments); });
  a("orders", r.orders);
  a.optional("workers", r.workers), a.optional("repeat", r.repeat);
  a.optional("kernel_ms", r.kernel_ms), a.optional("with_copies_ms", r.with_copies_ms);
  a.passed_on("profile", r.profile), a.passed_on("plot", r.plot);
  a.passed_on("steps", r.steps);
}

template <class T>
concept walked = is<T, stack_frame> || is<T, named_wait> || is<T, barrier_place> || is<T, held_lock> ||
    is<T, line_update> || is<T, one_step> || is<T, copy_wait> || is<T, way_to_flag> || is<T, access> || is<T, facts> ||
    is<T, finding> || is<T, launch_record> || is<T, recorded_launch> || is<T, step_record> || is<T, order_step> ||
    is<T, thread_order> || is<T, recorded_order> || is<T, output_summary> || is<T, timing> || is<T, plot_data> ||
    is<T, warp_sample> || is<T, profiled_line> || is<T, profiled_kernel> || is<T, run_report>;

// The report as JSON. `phrased`: with the sentences that people read, as in the file.
json written(const run_report& report, bool phrased);

// The "orders" of a report, each as it was recorded. Throws report_error.
std::vector<recorded_order> orders_in(const json& report);

}  // namespace simt::data
