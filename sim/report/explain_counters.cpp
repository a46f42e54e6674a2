// SPDX-License-Identifier: Apache-2.0
#include "explain_counters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "terminal_text.hpp"

namespace simt {
namespace {

constexpr std::string_view kScattered =
    "Neighbouring threads of a warp use addresses that lie far apart: a column of a row-major array, members of "
    "structures, indices from a table.";
constexpr std::string_view kTurns =
    "Threads of a warp update the same word: they take turns, and each turn touches its sector again. Or addresses lie "
    "far apart: a histogram of many bins, indices from a table.";
constexpr std::string_view kGather =
    "Let threadIdx.x run along memory (x[i] with i = threadIdx.x + ...), keep structures as arrays of members, or "
    "bring "
    "a tile into shared memory with neighbouring accesses and turn it around there.";
constexpr std::string_view kRequests =
    "Each instruction of a warp is one, whatever it costs. Many of them with little in each: 1-byte or 4-byte "
    "accesses, "
    "loads that are done again in a loop, few active threads.";
constexpr std::string_view kFewer =
    "Load what is used again into registers or shared memory, let each thread take a float4, keep whole warps "
    "together.";
constexpr std::string_view kCollect =
    "Collect in shared memory, or add up within the warp (shuffles), and update global memory once a block.";
constexpr std::string_view kBanks =
    "Threads of a warp use different words whose addresses differ by a multiple of 128 bytes: a column of a tile of 32 "
    "floats a row. Such words lie in one bank, which gives one a wavefront.";
constexpr std::string_view kPad = "Pad rows by one element (tile[32][33]), or permute the column (column ^ row).";
constexpr std::string_view kWide =
    "A warp's access of 4 bytes a thread is one wavefront, of 8 two, of 16 four; bank conflicts add to that.";

constexpr std::string_view kArithmetic =
    "Work that is done again in a loop, by every thread instead of one of a block, or in double where float would do.";
constexpr std::string_view kLessArithmetic =
    "Take what does not change out of loops, and let a * b + c stand in one expression: it is one instruction. Few "
    "operations for many bytes mean that memory is what to look at first.";

constexpr counter_knowledge kKnown[] = {
    {"instructions of warps that load from global memory", kRequests, kFewer,
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"32-byte sectors of global memory that those loads touch", kScattered, kGather,
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"instructions of warps that store to global memory", kRequests, kFewer,
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"32-byte sectors of global memory that those stores touch", kScattered, kGather,
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"instructions of warps that update global memory without using the old value (RED)",
     "An update for every element instead of one for every block.", kCollect,
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"},
    {"32-byte sectors that those reductions touch", kTurns, kCollect,
     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
    {"instructions of warps that update global memory and use the old value (ATOM)",
     "A counter that every thread takes a number from; locks; compare-and-swap loops.",
     "Let one lane of the warp take numbers for all (a vote and a shuffle), or count a block's share first.",
     "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"},
    {"32-byte sectors that those atomics touch", kTurns, kCollect, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"},
    {"turns of shared memory that loads take", kWide, kPad, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"turns of shared memory that loads take beyond what their width needs", kBanks, kPad,
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {"turns of shared memory that stores take", kWide, kPad, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"turns of shared memory that stores take beyond what their width needs", kBanks, kPad,
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {"turns of shared memory that atomic updates take",
     "Several threads of a warp update one word, or words of one bank.",
     "Add up within the warp first, or keep a copy of the bins for each warp.",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"},
    {"basic blocks and memory instructions that warps executed",
     "Threads of a warp take different ways: both sides of a branch are executed, one after the other.",
     "Let conditions depend on the warp and not on the thread, or sort the work.",
     "smsp__inst_executed.sum counts every instruction, so only the ratio to it compares"},
    {"the same, with each active thread counted", "See warp_executions: their quotient is the active threads, of 32.",
     "See warp_executions.", "smsp__thread_inst_executed_per_inst_executed.ratio is the quotient"},
    {"sectors that the loads would touch if the bytes they ask for lay side by side", kScattered, kGather, ""},
    {"bytes that threads asked for in loads; a byte that two threads load counts twice", kScattered, kGather, ""},
    {"sectors that the stores would touch if their bytes lay side by side", kScattered, kGather, ""},
    {"bytes that threads asked for in stores", kScattered, kGather, ""},
    {"sectors that the reductions would touch if their words lay side by side", kScattered, kCollect, ""},
    {"sectors that the atomics would touch if their words lay side by side", kScattered, kCollect, ""},
    {"instructions of warps that load from shared memory", kRequests, kFewer, ""},
    {"instructions of warps that store to shared memory", kRequests, kFewer, ""},
    {"instructions of warps that update shared memory", kRequests, kFewer, ""},
    {"turns of shared memory that atomic updates take beyond the first", kBanks, kPad, ""},
    {"additions and subtractions of float that threads do, but for those in multiply-adds", kArithmetic,
     kLessArithmetic, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"},
    {"multiplications of float that threads do, but for those in multiply-adds", kArithmetic, kLessArithmetic,
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"},
    {"multiply-adds of float that threads do; each is two operations", kArithmetic, kLessArithmetic,
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    {"additions and subtractions of double that threads do, but for those in multiply-adds", kArithmetic,
     kLessArithmetic, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"},
    {"multiplications of double that threads do, but for those in multiply-adds", kArithmetic, kLessArithmetic,
     "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"},
    {"multiply-adds of double that threads do; each is two operations", kArithmetic, kLessArithmetic,
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"},
    {"divisions and roots of float and double, and functions of <math.h>, that threads do",
     "Divisions in inner loops; pow and sin where products would do.",
     "Multiply by an inverse that is computed once; __expf, __fdividef and the like where a few bits less are enough.",
     ""},
};
static_assert(std::size(kKnown) == kCounters);

std::string paragraph(std::string_view text, const text_style& style, tone t) {
  std::string out;
  for (const std::string& line : wrap(text, std::clamp<std::size_t>(style.width, 40, 100) - 2))
    out += "  " + paint(line, t, style.color) + "\n";
  return out;
}

}  // namespace

counter_knowledge knowledge_of(counter c) { return kKnown[static_cast<std::size_t>(c)]; }

std::optional<counter> counter_from_name(std::string_view word) {
  for (std::size_t i = 0; i < kCounters; ++i)
    if (name(static_cast<counter>(i)) == word) return static_cast<counter>(i);
  return {};
}

std::vector<std::string> counter_names() {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < kCounters; ++i) all.emplace_back(name(static_cast<counter>(i)));
  return all;
}

std::string text_explanation(counter c, const text_style& style) {
  const counter_knowledge k = knowledge_of(c);
  std::string out = paint(name(c), tone::bold, style.color) + ":" +
                    hanging(k.counted, {name(c).size() + 1, std::clamp<std::size_t>(style.width, 40, 100)}) + "\n\n";
  out += paint("What drives it up", tone::bold, style.color) + "\n" + paragraph(k.pattern, style, tone::plain);
  out += paint("What helps", tone::bold, style.color) + "\n" + paragraph(k.remedy, style, tone::good);
  if (!k.in_ncu.empty())
    out += paint("On a GPU (ncu --metrics)", tone::bold, style.color) + "\n" + paragraph(k.in_ncu, style, tone::note);
  return out;
}

std::string text_counter_list(const text_style& style) {
  std::string out;
  for (std::size_t i = 0; i < kCounters; ++i) {
    const auto c = static_cast<counter>(i);
    out += paint(fmt::format("{:<31}", name(c)), tone::bold, style.color);
    out += shortened(knowledge_of(c).counted, std::max<std::size_t>(style.width, 50) - 32) + "\n";
  }
  return out;
}

std::string ncu_command(std::string_view command) {
  std::string metrics;
  for (std::size_t i = 0; i < kCounters; ++i)
    if (const auto c = static_cast<counter>(i);
        (c < counter::warp_executions || is_arithmetic(c)) && !kKnown[i].in_ncu.empty())
      metrics += std::string(kKnown[i].in_ncu) + ",";
  return fmt::format("ncu --metrics {}smsp__thread_inst_executed_per_inst_executed.ratio {}", metrics, command);
}

}  // namespace simt
