// SPDX-License-Identifier: Apache-2.0
// Long because: all phrases draw on one table of arguments, which this makes.
// Filling a cause's templates: every name that they may use is bound here, once.
#include "phrasebook.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>

#include "counted.hpp"
#include "names.hpp"
#include "parting_lines.hpp"
#include "phrase_copy.hpp"
#include "phrase_flag.hpp"
#include "phrase_index.hpp"
#include "phrase_lock.hpp"
#include "phrase_order.hpp"

namespace simt {
namespace {

// What the two dialects call the same thing.
struct word {
  std::string_view name;
  const char* in_api;
  const char* in_cuda;
};
constexpr word kWords[] = {
    {"sync", "sync()", "__syncthreads()"},
    {"fence", "threadfence()", "__threadfence()"},
    {"fence_block", "threadfence_block()", "__threadfence_block()"},
    {"fence_system", "threadfence_system()", "__threadfence_system()"},
    {"sync_warp", "sync_warp()", "__syncwarp()"},
    {"sync_grid", "sync_grid()", "grid.sync()"},
    {"sync_cluster", "cluster().sync()", "cluster.sync()"},
    {"ballot", "ballot", "__ballot_sync"},
    {"ballot_of_condition", "ballot(active, condition)", "__ballot_sync(active, condition)"},
    {"free_rule", "only the address that an allocation returned can be freed, and once",
     "cudaFree accepts only pointers from cudaMalloc, and each once"},
    {"trap", "trap()", "__trap()"},
    {"copy_to_symbol", "copy_from", "cudaMemcpyToSymbol"},
    {"copy_from_symbol", "copy_to", "cudaMemcpyFromSymbol"},
    {"cooperative", ".cooperative = true", "cudaLaunchCooperativeKernel"},
    {"map_shared", "map_shared", "map_shared_rank"},
    {"copy_out", "copy with to_host() or copy_to()/copy_from()",
     "copy with cudaMemcpy, or allocate with cudaMallocManaged"},
    {"copy_in", "copy the data to a buffer", "copy the data with cudaMemcpy to memory of cudaMalloc"},
    {"wait_calls", "synchronize(), stream.synchronize() or event.synchronize()",
     "cudaDeviceSynchronize(), cudaStreamSynchronize() or cudaEventSynchronize()"},
};

}  // namespace

std::string_view word_of(std::string_view name, dialect d) {
  for (const word& w : kWords)
    if (w.name == name) return d == dialect::api ? w.in_api : w.in_cuda;
  return {};
}

namespace {

using arguments = fmt::dynamic_format_arg_store<fmt::format_context>;

std::string bytes_text(std::int64_t n) { return counted(n, "byte"); }
std::string mask_text(std::uint32_t mask) { return fmt::format("{:#010x}", mask); }

std::string_view phrase_of(warp_operation o) {
  switch (o) {
    case warp_operation::sync:
      return "a warp sync";
    case warp_operation::shuffle:
      return "a shuffle";
    case warp_operation::vote:
      return "a warp vote";
    case warp_operation::match:
      return "a warp match";
    case warp_operation::reduction:
      return "a warp reduction";
  }
  return "a warp operation";
}

std::string lane_list(std::uint32_t lanes) {
  std::string out = lanes & (lanes - 1) ? "lanes " : "lane ";
  for (std::uint32_t left = lanes; left != 0; left &= left - 1)
    out += fmt::format("{}{}", left == lanes ? "" : ", ", std::countr_zero(left));
  return out;
}

std::string stream_of(const access& a) { return a.stream.empty() ? "the host" : "stream " + a.stream; }

// "write"; also for what is no access of its own.
std::string_view deed_of(const access& a) {
  if (a.work == work::allocation) return "allocation";
  if (a.work == work::release) return "free";
  if (a.kind == access_kind::atomic) return a.deed == deed::loads ? "atomic read" : "atomic update";
  return name(a.kind);
}
// "thread (0,0,0) of block (1,0,0)"
std::string doer_of(const access& a) {
  if (a.work == work::allocation || a.work == work::release) return stream_of(a);
  if (a.work == work::callback) return "a host callback on " + stream_of(a);
  return who(a);
}
// "read and write of x[3]", "two writes of x[3]"
std::string deeds_of(const access& later, const access& earlier, const std::string& element) {
  if (deed_of(later) == deed_of(earlier)) return fmt::format("two {}s of {}", deed_of(later), element);
  return fmt::format("{} and {} of {}", deed_of(later), deed_of(earlier), element);
}

// "kernel count on stream 0 (default)"
std::string work_of(const access& a) {
  switch (a.work) {
    case work::kernel:
    case work::async_copy:
      return fmt::format("kernel {} on {}", a.kernel, stream_of(a));
    case work::copy_to_device:
      return "copy to the device on " + stream_of(a);
    case work::copy_to_host:
      return "copy to the host on " + stream_of(a);
    case work::copy_on_device:
      return "copy on " + stream_of(a);  // of device, managed or pinned memory
    case work::fill:
      return "fill on " + stream_of(a);
    case work::host_code:
      return fmt::format("a{} {} by the host", a.kind == access_kind::atomic ? "n" : "", name(a.kind));
    case work::callback:
      return "a host callback on " + stream_of(a);
    case work::allocation:
      return "the allocation on " + stream_of(a);
    case work::release:
      return "the free on " + stream_of(a);
  }
  return {};
}

std::string suspects(const facts& v) {
  if (v.kernels.empty()) return "a kernel";
  if (v.kernels.size() == 1 && !v.more_kernels) return "kernel " + v.kernels.front();
  return fmt::format("one of kernels {}{}", fmt::join(v.kernels, ", "), v.more_kernels ? ", ..." : "");
}

// Who a fault happened to, as far as that is known.
std::string faulter(const finding& f) { return f.accesses.empty() ? "a thread" : who(f.accesses[0]); }

// The function of a library whose call did it, where no code of the user's ran inside; empty: a kernel of the user's.
std::string library_call(const finding& f) {
  constexpr std::string_view kLibraries[] = {"cublas", "cufft", "cusparse", "cusolver", "curand", "thrust::", "cub::"};
  const auto starts = [&](std::string_view name) { return f.kernel.starts_with(name); };
  if (f.accesses.empty() || std::ranges::none_of(kLibraries, starts)) return {};
  const std::string& function = f.accesses[0].function;
  return function.starts_with("lambda") || function.find("operator()") != std::string::npos ? "" : f.kernel;
}

void add_library(arguments& to, const finding& f, dialect d) {
  const auto add = [&to](const char* name, std::string value) { to.push_back(fmt::arg(name, std::move(value))); };
  const std::string call = library_call(f);
  add("caller", call.empty() ? "a kernel" : call);
  add("pass_that", call.empty() ? "pass that to the kernel" : fmt::format("pass that to {}", call));
  add("check_index", call.empty() || f.object.empty()
                         ? mended_index(f, d)
                         : fmt::format("{} is too small for what {} is told to do with it: allocate more, or pass "
                                       "smaller sizes (elements, rows, columns, leading dimension, stride)",
                                       f.object, call));
  add("check_bytes", mended_bytes(f, d));
}

void add_memory(arguments& to, const finding& f) {
  const auto add = [&to](const char* name, auto&& value) { to.push_back(fmt::arg(name, std::string(value))); };
  const bool shared = f.space == memory_space::shared;
  add("element", element_of(f));
  const bool own = f.space == memory_space::local;
  add("object", !f.object.empty() ? f.object : own ? "it" : "device memory");
  add("view", f.object.empty() ? "view" : f.object);
  add("quoted", f.object.empty() ? "" : " '" + f.object + "'");
  add("prefix", f.object.empty() ? "" : "'" + f.object + "': ");
  add("space", shared ? "shared" : "device");
  add("allocation", own ? "thread's own variable" : shared ? "shared array" : "allocation");
  add("kernel", f.kernel);
  add("free_later", mended_free(f));
  const facts& v = f.facts;
  add("distance_bytes", bytes_text(v.distance));
  add("distance_past", v.distance == 0 ? "just past " : bytes_text(v.distance) + " past ");
  add("size_bytes", bytes_text(v.size));
  add("is_or_are", v.size == 1 ? "is" : "are");
  add("act_bytes", bytes_text(f.bytes));
  add("from_byte", v.offset == 0 ? "" : fmt::format(" at byte {}", v.offset));
  add("copy_less", v.offset < v.size ? fmt::format("copy at most {}, or allocate more", bytes_text(v.size - v.offset))
                                     : std::string("begin the copy inside the allocation, or allocate more"));
  add("mend_call", v.type.find("direction") == std::string::npos
                       ? ""
                       : "name the direction that goes with the pointers, or cudaMemcpyDefault; and ");
  add("was_or_were", v.count == 1 ? "was" : "were");
  add("address", fmt::format("{:#x}", v.address));
  add("position", fmt::format("{}", fmt::join(v.position, ", ")));
  add("extents", fmt::format("{}", fmt::join(v.extents, " x ")));
  add("mend_alignment", v.text.empty() ? std::string("align the data, or use smaller accesses")
                                       : v.text + " counts x in bytes: pass the column times the size of an element");
  add("type", v.type);
  add("text", v.text);
}

void add_sides(arguments& to, const finding& f, dialect d) {
  const auto add = [&to](const char* name, auto&& value) { to.push_back(fmt::arg(name, std::string(value))); };
  static const access nobody;
  const access& later = f.accesses.empty() ? nobody : f.accesses[0];
  const access& earlier = f.accesses.size() < 2 ? nobody : f.accesses[1];
  add("kind", name(later.kind));
  add("act", fmt::format("{} of {}", name(later.kind), bytes_text(f.bytes)));
  add("to_or_from", later.kind == access_kind::write ? "to" : "from");
  add("deeds", deeds_of(later, earlier, element_of(f)));
  // Threads of two kernels may have the same coordinates.
  const bool apart = later.agent == actor::thread && earlier.agent == actor::thread && later.kernel != earlier.kernel;
  add("later_doer", doer_of(later) + (apart ? " of " + later.kernel : ""));
  add("earlier_doer", doer_of(earlier) + (apart ? " of " + earlier.kernel : ""));
  add("later_block", coordinates(later.block));
  add("earlier_block", coordinates(earlier.block));
  add("later_kernel", later.kernel);
  add("earlier_kernel", earlier.kernel);
  const access& host = later.agent == actor::host ? later : earlier;
  add("at_host_line", host.agent == actor::host && host.line > 0 ? fmt::format(" at line {}", host.line) : "");
  add("later_work", work_of(later));
  add("earlier_work", work_of(earlier));
  const bool was_read = earlier.kind == access_kind::read;
  const bool before_flag = f.accesses.size() > 2 && of_one_function(earlier, f.accesses[2]) && earlier.line > 0 &&
                           earlier.line < f.accesses[2].line;
  const int written = f.facts.between_low != 0 ? f.facts.between_low : before_flag ? earlier.line : 0;
  const auto line_of = [](const access& a, const char* else_it_is) {
    return a.line > 0 ? fmt::format("line {}", a.line) : std::string(else_it_is);
  };
  const std::string write_place =
      written != 0 ? fmt::format("line {}", written) : fmt::format("the {}", was_read ? "read" : "write");
  const std::string flag_place = f.accesses.size() > 2 && f.accesses[2].line > 0
                                     ? fmt::format("line {}", f.accesses[2].line)
                                     : std::string("the flag");
  add("why_unfenced", why_unfenced(f.facts.told, flag_place));
  add("mend_unfenced", mended_way(f.facts.told, write_place, flag_place, d));
  add("later_line", line_of(later, "this access"));
  add("earlier_line", line_of(earlier, "its access"));
  add("write_place", write_place);
  add("flag_place", flag_place);
  add("earlier_deed", was_read ? "that block has read what it overwrites" : "it sees what that block wrote earlier");
  add("no_barrier", meet_by_some(f.facts) ? "no barrier that both take part in has run between them"
                                          : "no barrier has run between them");
  add("why_of_copy", why_of_copy(f));
  add("order_of_copy", order_of_copy(f, d));
  add("reaching_fence", word_of(f.facts.later_scope == sync_scope::block    ? "fence_block"
                                : f.facts.later_scope == sync_scope::system ? "fence_system"
                                                                            : "fence",
                                d));
  add("narrow_scope", name(std::min(f.facts.earlier_scope, f.facts.later_scope)));
  add("faulter", faulter(f));
  add("order_in_block", order_in_block(f, later, earlier, d));
  add("no_grid_barrier",
      f.space == memory_space::shared ? std::string("; no barrier of the cluster has run between them")
      : !f.facts.cooperative          ? std::string()
      : f.facts.barrier_line != 0
          ? fmt::format("; no barrier of the grid has run between them since line {}", f.facts.barrier_line)
          : std::string("; no barrier of the grid has run between them"));
  add("order_of_blocks", order_of_blocks(f, later, earlier, d));
  add("lock_fails", lock_fails(f.facts));
  add("mend_lock", mended_lock(f, d));
  add("lock_taken", std::to_string(f.facts.lock.taken));
  add("lock_given", std::to_string(f.facts.lock.given));
}

// Of a scope that is too narrow: where it is named, if that is known.
void add_scopes(arguments& to, const finding& f, dialect d) {
  const auto add = [&to](const char* name, std::string value) { to.push_back(fmt::arg(name, std::move(value))); };
  const int line = f.facts.narrow_line;
  const bool told = f.accesses.size() > 2 && f.accesses[2].line > 0;
  add("narrow_fence", line != 0 ? fmt::format("the fence at line {}", line)
                      : told    ? fmt::format("the fence before line {}", f.accesses[2].line)
                                : std::string("the fence before the flag"));
  add("narrow_reader", line != 0 ? " (it fences for its block only, and another block reads)" : "");
  const bool both = f.accesses.size() >= 2;
  const std::string blocks =
      both ? fmt::format("block {} to block {}", coordinates(f.accesses[1].block), coordinates(f.accesses[0].block))
           : "";
  add("narrow_order", line != 0 ? fmt::format("line {} orders for its block only, and another block is the other side "
                                              "({})",
                                              line, blocks)
                                : fmt::format("a release or acquire between them has a scope that does not reach the "
                                              "other thread ({}); at system scope they would be ordered",
                                              blocks));
  add("widen",
      line != 0 ? fmt::format("widen the scope at line {}: {}, or device scope of an atomic", line, word_of("fence", d))
                : std::string("widen the scope of the atomic or fence, to device for threads of different "
                              "blocks"));
}

void add_barrier(arguments& to, const finding& f) {
  const auto add = [&to](const char* name, const char* value) { to.push_back(fmt::arg(name, std::string(value))); };
  const bool grid = f.facts.of_grid;
  add("barrier_name", grid ? "a barrier of the grid" : "a barrier of their block");
  add("barrier_rule", grid ? "a barrier of the grid must be reached by every thread of every block"
                           : "a block barrier must be reached by every thread of the block");
  add("call_rule", grid ? "a barrier must be the same call for every thread that it is for, and one of the grid is for "
                          "every thread of every block; which threads meet which is undefined"
                        : "a block barrier must be the same call for every thread of the block; which threads meet "
                          "which is undefined");
}

void add_branches(arguments& to, const finding& f) {
  const facts& v = f.facts;
  const auto add = [&to](const char* name, std::string value) { to.push_back(fmt::arg(name, std::move(value))); };
  add("at_branch", v.branch_line != 0 ? fmt::format(" at line {}", v.branch_line) : "");
  const std::string_view all = v.of_grid ? "all threads of the grid" : "all threads of the block";
  const barrier_place& p = v.place;
  add("let_all_come",
      p.guard != 0 && p.guard_is_loop
          ? fmt::format("let {} make the same number of turns in the loop at line {}: guard the work in its body, not "
                        "the barrier",
                        all, p.guard)
      : p.guard != 0 || v.branch_line != 0
          ? fmt::format(
                "move the barrier out of the branch at line {}, so that {} reach it; what follows it there goes "
                "into a branch of its own behind it",
                p.guard != 0 ? p.guard : v.branch_line, all)
      : p.leave != 0
          ? fmt::format("guard the work instead of leaving at line {}, so that {} reach the barrier", p.leave, all)
          : fmt::format("let {} come: guard the work between barriers, not the barriers", all));
  add("let_all_blocks_come",
      v.branch_line != 0
          ? fmt::format("move the barrier out of the branch at line {}, so that every block reaches it", v.branch_line)
      : v.return_line != 0
          ? fmt::format("guard the work instead of returning at line {}, so that every block reaches the barrier",
                        v.return_line)
          : std::string("let every block come: guard the work between barriers, not the barriers"));
}

void add_numbers(arguments& to, const finding& f) {
  const facts& v = f.facts;
  const auto number = [&to](const char* name, auto value) { to.push_back(fmt::arg(name, value)); };
  number("bytes", f.bytes);
  number("count", v.count);
  number("size", v.size);
  number("larger_size", v.size * 4);
  number("offset", v.offset);
  number("alignment", v.alignment);
  number("warp", v.warp);
  number("lane", v.lane);
  number("seconds", v.seconds);
  const auto add = [&to](const char* name, std::string value) { to.push_back(fmt::arg(name, std::move(value))); };
  add("barriers_together", v.barriers == 1 ? "one barrier" : fmt::format("{} barriers", v.barriers));
  add("mask", mask_text(v.mask));
  add("mask_that_stays", mask_text(v.mask & ~v.lanes));
  add("lanes", mask_text(v.lanes));
  add("lane_list", lane_list(v.lanes));
  add("comes_or_come", v.lanes & (v.lanes - 1) ? "come" : "comes");
  add("operation", std::string(phrase_of(v.operation)));
  add("suspects", suspects(v));
  add("object_expects", v.operand.empty() ? "" : fmt::format(" ({}, line {})", v.operand, v.update_line));
  add("counter", v.target.empty() ? "a counter" : v.target);
}

const phrase_row& row_of(cause c) {
  static const std::array<const phrase_row*, cause_count> table = [] {
    std::array<const phrase_row*, cause_count> rows{};
    for (const auto part :
         {race_phrases(), memory_phrases(), host_phrases(), barrier_phrases(), fault_phrases(), gpu_phrases()})
      for (const phrase_row& r : part) rows[static_cast<std::size_t>(r.cause)] = &r;
    return rows;
  }();
  static constexpr phrase_row kNone{cause::none, "none", "", "", ""};
  if (c == cause::none) return kNone;
  const phrase_row* const row = table.at(static_cast<std::size_t>(c));
  if (row == nullptr) {
    fmt::print(stderr, "simt: the phrasebook has no row for cause {}\n", static_cast<int>(c));
    std::abort();
  }
  return *row;
}

}  // namespace

phrases phrase(const finding& f, dialect d) {
  const phrase_row& row = row_of(f.cause);
  arguments values;
  add_library(values, f, d);
  add_memory(values, f);
  add_sides(values, f, d);
  add_numbers(values, f);
  add_branches(values, f);
  add_barrier(values, f);
  add_scopes(values, f, d);
  for (const word& w : kWords) values.push_back(fmt::arg(w.name.data(), d == dialect::api ? w.in_api : w.in_cuda));
  std::string why = fmt::vformat(row.why, values);
  if (is_race(f.rule) && f.severity == severity::warning && f.cause != cause::none)
    why += "; a warning, because the write left the value that was there: with other data it is an error";
  return {fmt::vformat(row.message, values), std::move(why), fmt::vformat(row.fix, values)};
}

std::string_view name(cause c) { return row_of(c).name; }

template <>
std::span<const std::string_view> names_of<cause>() {
  static const std::array<std::string_view, cause_count> all = [] {
    std::array<std::string_view, cause_count> names;
    for (int i = 0; i < cause_count; ++i) names[static_cast<std::size_t>(i)] = name(static_cast<cause>(i));
    return names;
  }();
  return all;
}

}  // namespace simt
