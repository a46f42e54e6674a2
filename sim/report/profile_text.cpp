// SPDX-License-Identifier: Apache-2.0
// Long because: the advice and the tables are made of the same lists of kinds of access (kTraffic, kBankTraffic).
#include "profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "counted.hpp"
#include "occupancy.hpp"
#include "source_excerpt.hpp"
#include "terminal_text.hpp"

namespace simt {
namespace {

constexpr std::size_t kShownLines = 3;

std::string distance(std::int64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return fmt::format("{} KiB", bytes / 1024);
  return fmt::format("{} bytes", bytes);
}

double ratio(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

// The distance that lies between most pairs of neighbouring lanes; -1: there is no usual one.
std::int64_t usual_distance(const warp_sample& s) {
  std::map<std::int64_t, int> seen;
  int pairs = 0;
  for (std::size_t i = 1; i < s.offsets.size(); ++i)
    if (s.offsets[i] >= 0 && s.offsets[i - 1] >= 0) ++seen[std::abs(s.offsets[i] - s.offsets[i - 1])], ++pairs;
  const auto most = std::ranges::max_element(seen, {}, &std::pair<const std::int64_t, int>::second);
  return most != seen.end() && 2 * most->second > pairs ? most->first : -1;
}

// Two threads or more use each word that is used.
bool is_crowded(const warp_sample& s) {
  std::set<std::int64_t> words;
  std::size_t lanes = 0;
  for (const std::int64_t o : s.offsets)
    if (o >= 0) words.insert(o), ++lanes;
  return lanes >= 2 * words.size();
}

std::string text_of(const profiled_line& l) {
  access where;
  where.file = l.file;
  where.path = l.path;
  where.line = l.line;
  return source_reader().line(where);
}

const warp_sample* sample_named(const profiled_line& l, std::string_view name) {
  const auto at = std::ranges::find(l.samples, name, &warp_sample::operation);
  return at == l.samples.end() ? nullptr : &*at;
}

struct traffic {
  const char* name;
  const char* doing;  // "neighbouring threads read ..."
  counter requests, sectors, ideal;
};
constexpr traffic kTraffic[] = {
    {"global load", "read", counter::global_load_requests, counter::global_load_sectors,
     counter::global_load_ideal_sectors},
    {"global store", "write", counter::global_store_requests, counter::global_store_sectors,
     counter::global_store_ideal_sectors},
    {"global reduction", "update", counter::global_reduction_requests, counter::global_reduction_sectors,
     counter::global_reduction_ideal_sectors},
    {"global atomic", "update", counter::global_atomic_requests, counter::global_atomic_sectors,
     counter::global_atomic_ideal_sectors},
};
struct banks {
  const char* name;
  const char* doing;
  counter requests, wavefronts, conflicts;
};
constexpr banks kBankTraffic[] = {
    {"shared load", "read", counter::shared_load_requests, counter::shared_load_wavefronts,
     counter::shared_load_bank_conflicts},
    {"shared store", "write", counter::shared_store_requests, counter::shared_store_wavefronts,
     counter::shared_store_bank_conflicts},
    {"shared atomic", "update", counter::shared_atomic_requests, counter::shared_atomic_wavefronts,
     counter::shared_atomic_bank_conflicts},
};

// Against a distance between neighbouring threads' elements. What kind of array it is, the line tells.
std::string against_stride(const profiled_line& l, std::int64_t apart) {
  constexpr std::int64_t kLine = 128;
  const std::string line = text_of(l);
  if (line.find("].") != std::string::npos || line.find("->") != std::string::npos)
    return "keep each member in an array of its own, or let a thread take whole vectors (float4)";
  if (apart < kLine)
    return "let neighbouring threads take neighbouring elements, a thread of several every n-th of n threads; each "
           "member of a structure, and what is used of every few elements only, keep in an array of its own";
  return "let threadIdx.x run along the rows of memory (swap the roles of x and y; a thread of several elements takes "
         "every n-th of n threads), or go through shared memory";
}

void look_at_global(const profiled_line& l, std::vector<costly_line>& out) {
  for (const traffic& t : kTraffic) {
    const std::int64_t requests = l.counters[t.requests], sectors = l.counters[t.sectors], ideal = l.counters[t.ideal];
    if (requests == 0 || sectors <= ideal) continue;
    costly_line c{nullptr, &l, static_cast<double>(sectors - ideal), {}, {}, {}};
    c.what = fmt::format("{:.1f} sectors a {} request instead of {:.1f}", ratio(sectors, requests), t.name,
                         ratio(ideal, requests));
    const warp_sample* s = sample_named(l, t.name);
    const std::int64_t apart = s != nullptr ? usual_distance(*s) : -1;
    const bool update =
        t.requests == counter::global_reduction_requests || t.requests == counter::global_atomic_requests;
    if (update && s != nullptr && is_crowded(*s)) {
      c.why = "many threads of a warp update the same word, one after the other";
      c.change = "add up within the warp or the block first (shuffles, shared memory), then update once";
    } else if (s != nullptr && apart > s->bytes) {
      c.why = fmt::format("neighbouring threads {} {} apart", t.doing, distance(apart));
      c.change = against_stride(l, apart);
    } else if (s != nullptr && apart == s->bytes) {
      c.why = "neighbouring threads use neighbouring elements, but a warp does not begin at a sector";
      c.change = "align the first element of each row to 32 bytes: pad rows, shift the start";
    } else {
      c.why = fmt::format("the threads of a warp {} places that have nothing to do with one another", t.doing);
      c.change = update ? "collect in shared memory first, then add the block's result once"
                        : "sort the work by address, or bring the piece that is used into shared memory first";
    }
    out.push_back(std::move(c));
  }
}

// Against conflicts of banks at a constant distance. What kind of array it is, the line tells: rows can be padded only
// where there are rows.
std::string against_distance(const profiled_line& l, std::int64_t bytes) {
  const std::string line = text_of(l);
  if (line.find("][") != std::string::npos) return "pad the array's rows by one element: tile[32][33] for tile[32][32]";
  if (line.find("].") != std::string::npos)
    return "keep each member in an array of its own, or make the structure's size an odd number of words";
  const std::int64_t apart = std::max<std::int64_t>(128 / std::max<std::int64_t>(bytes, 1), 1);  // a turn of the banks
  return fmt::format(
      "let neighbouring threads use neighbouring elements; or leave one element free behind every {0}: element i lies "
      "at i + i / {0}, in an array that is larger by as much",
      apart);
}

void look_at_shared(const profiled_line& l, std::vector<costly_line>& out) {
  for (const banks& b : kBankTraffic) {
    const std::int64_t requests = l.counters[b.requests], conflicts = l.counters[b.conflicts];
    if (requests == 0 || conflicts == 0) continue;
    costly_line c{nullptr, &l, static_cast<double>(conflicts), {}, {}, {}};
    c.what = fmt::format("{:.1f} wavefronts a {} instead of {:.1f}", ratio(l.counters[b.wavefronts], requests), b.name,
                         ratio(l.counters[b.wavefronts] - conflicts, requests));
    const warp_sample* s = sample_named(l, b.name);
    const std::int64_t apart = s != nullptr ? usual_distance(*s) : -1;
    if (b.requests == counter::shared_atomic_requests && s != nullptr && is_crowded(*s)) {
      c.why = "many threads of a warp update the same word, one after the other";
      c.change = "add up within the warp first (shuffles), then update once; or keep several copies";
    } else if (apart > 0) {
      c.why = fmt::format("neighbouring threads {} {} apart, so they meet in the same banks", b.doing, distance(apart));
      c.change = against_distance(l, s->bytes);
    } else {
      c.why = "threads of a warp use different words of the same bank";
      c.change = "pad rows by one element, or permute the index (x ^ y)";
    }
    out.push_back(std::move(c));
  }
}

void look_at_divergence(const profiled_kernel& k, const profiled_line& l, std::vector<costly_line>& out) {
  const std::int64_t warps = l.counters[counter::warp_executions], threads = l.counters[counter::thread_executions];
  const auto needed = static_cast<std::int64_t>(std::ceil(static_cast<double>(threads) / 32));
  // Of each block the last warp has fewer threads.
  const std::int64_t warps_of_block = (k.threads_per_block + 31) / 32;
  const bool partial = k.threads_per_block % 32 != 0 && threads * warps_of_block == k.threads_per_block * warps;
  if (partial ? 3 * warps <= 4 * needed : warps <= 2 * needed) return;
  costly_line c{nullptr, &l, static_cast<double>(warps - needed), {}, {}, {}};
  c.what = fmt::format("{:.1f} of 32 threads are active", ratio(threads, warps));
  if (partial) {
    c.why = fmt::format("a block has {} threads, and its last warp {}", k.threads_per_block, k.threads_per_block % 32);
    c.change = "launch blocks of a multiple of 32 threads";
  } else if (threads == warps) {
    c.why = "one thread works while the others of its warp wait";
    c.change =
        "share the work among the threads of the warp or the block: a reduction, a loop of all of them, or, of a few "
        "elements such as the rim of a tile, one for each of as many threads";
  } else {
    c.why = "threads of a warp take different ways, or their loops end at different times";
    c.change = "give whole warps the same way: let the condition depend on the warp, or sort the work by its length";
  }
  out.push_back(std::move(c));
}

// A constant of floating point without f: 2.5, 1e-3, but not 2.5f.
bool has_double_constant(const std::string& line) {
  static const std::regex constant(R"((^|[^\w.])(\d+\.\d*|\.\d+|\d+(?=[eE][+-]?\d))([eE][+-]?\d+)?(?![\w.]))");
  return std::regex_search(line, constant);
}

// Arithmetic of double where the line has nothing that is double but a constant.
void look_at_doubles(const profiled_line& l, std::vector<costly_line>& out) {
  const std::int64_t operations =
      l.counters[counter::float64_adds] + l.counters[counter::float64_multiplies] + l.counters[counter::float64_fmas];
  if (operations == 0) return;
  const std::string line = text_of(l);
  if (line.find("double") != std::string::npos || !has_double_constant(line)) return;
  costly_line c{nullptr, &l, static_cast<double>(operations) / 32, {}, {}, {}};
  c.what = fmt::format("{} operations on double", with_commas(operations));
  c.why = "a constant without f is a double, and so is what is computed with it";
  c.change = "write 2.5f for 2.5 where float will do: GPUs have half as many units for double, or far fewer";
  out.push_back(std::move(c));
}

}  // namespace

std::vector<costly_line> costly_lines(const std::vector<profiled_kernel>& kernels, std::size_t most) {
  std::vector<costly_line> all;
  for (const profiled_kernel& k : kernels)
    for (const profiled_line& l : k.lines) {
      if (l.stands_in) continue;  // nothing there is for the user to change
      const std::size_t before = all.size();
      look_at_global(l, all);
      look_at_shared(l, all);
      look_at_divergence(k, l, all);
      look_at_doubles(l, all);
      for (std::size_t i = before; i < all.size(); ++i) all[i].kernel = &k;
    }
  std::ranges::stable_sort(all, std::greater<>(), &costly_line::waste);
  if (all.size() > most) all.resize(most);
  return all;
}

namespace {

// What one kind of access to memory costs: a line of a kernel's table.
struct memory_row {
  std::string_view name, unit;
  std::int64_t requests = 0, cost = 0;
  std::string rest;
  double times_ideal = 1;
};

std::vector<memory_row> memory_rows(const counters& c) {
  std::vector<memory_row> rows;
  for (const traffic& t : kTraffic)
    rows.push_back({t.name, "sectors", c[t.requests], c[t.sectors],
                    fmt::format("(ideal {:.1f})", ratio(c[t.ideal], c[t.requests])), ratio(c[t.sectors], c[t.ideal])});
  for (const banks& b : kBankTraffic)
    rows.push_back({b.name, "wavefronts", c[b.requests], c[b.wavefronts],
                    fmt::format("({} conflicts)", with_commas(c[b.conflicts])),
                    ratio(c[b.wavefronts], c[b.wavefronts] - c[b.conflicts])});
  std::erase_if(rows, [](const memory_row& r) { return r.requests == 0; });
  return rows;
}

std::string wide_row(const memory_row& r) {
  return fmt::format("  {:<18}{:>14} requests {:>15} {:<10} {:>5.1f} a request  {}", r.name, with_commas(r.requests),
                     with_commas(r.cost), r.unit, ratio(r.cost, r.requests), r.rest);
}
// `value` under the requests; what follows goes on in lines of its own where the terminal is narrow.
std::string value_row(std::string_view name, std::string_view value, std::string_view rest, std::size_t width) {
  constexpr std::size_t kIndent = 2 + 18 + 14;
  std::string out;
  for (const std::string& line : wrap(rest, std::max<std::size_t>(width, 60) - kIndent - 1))
    out += out.empty() ? fmt::format("  {:<18}{:>14} {}\n", name, value, line)
                       : fmt::format("{:{}}{}\n", "", kIndent + 1, line);
  return out;
}

// What loads and stores move between global memory and the warps, by what threads asked for.
std::string bytes_row(const counters& c, std::size_t width) {
  constexpr std::int64_t kSectorBytes = 32;
  const std::int64_t asked = c[counter::global_load_bytes] + c[counter::global_store_bytes],
                     moved = kSectorBytes * (c[counter::global_load_sectors] + c[counter::global_store_sectors]);
  if (moved == 0) return {};
  return value_row("bytes moved", with_commas(moved),
                   fmt::format("global memory; threads asked for {}", with_commas(asked)), width);
}

std::string narrow_row(const memory_row& r, std::size_t width) {
  std::string lines = value_row(r.name, with_commas(r.requests),
                                fmt::format("x {:.1f} {} {}", ratio(r.cost, r.requests), r.unit, r.rest), width);
  lines.pop_back();
  return lines;
}

struct arithmetic_row {
  const char* name;
  counter adds, multiplies, fmas;
};
constexpr arithmetic_row kArithmeticRows[] = {
    {"float", counter::float32_adds, counter::float32_multiplies, counter::float32_fmas},
    {"double", counter::float64_adds, counter::float64_multiplies, counter::float64_fmas},
};

std::string arithmetic_table(const counters& c, std::size_t width) {
  std::string out;
  for (const arithmetic_row& a : kArithmeticRows) {
    std::string kinds;
    for (const auto& [kind, name] : {std::pair(a.adds, "additions"), std::pair(a.multiplies, "multiplications"),
                                     std::pair(a.fmas, "multiply-adds")})
      if (c[kind] > 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", with_commas(c[kind]), name);
    if (!kinds.empty())
      out += value_row(a.name, with_commas(c[a.adds] + c[a.multiplies] + 2 * c[a.fmas]), "operations: " + kinds, width);
  }
  if (const std::int64_t special = c[counter::special_operations]; special > 0)
    out += value_row("special", with_commas(special), "divisions, roots and functions of <math.h>", width);
  return out;
}

// All kernels' tables look alike: wide where every row of them fits.
bool is_wide_enough(const std::vector<profiled_kernel>& kernels, std::size_t width) {
  return std::ranges::all_of(kernels, [&](const profiled_kernel& k) {
    return std::ranges::all_of(memory_rows(k.counters),
                               [&](const memory_row& r) { return wide_row(r).size() <= width; });
  });
}

std::string kernel_table(const profiled_kernel& k, bool wide, const text_style& style) {
  const counters& c = k.counters;
  const std::size_t width = style.width;
  std::string out = paint(k.kernel, tone::bold, style.color);
  out += fmt::format("  {}{}\n", counted(k.launches, "launch", {.ending = "es", .commas = true}),
                     k.partial ? ", partial: what was counted until it ended" : "");
  for (const memory_row& r : memory_rows(c)) {
    const std::string line = wide ? wide_row(r) : narrow_row(r, width);
    out += (r.times_ideal > 1.5 ? paint(line, tone::warning, style.color) : line) + "\n";
  }
  out += bytes_row(c, width);
  if (const std::int64_t warps = c[counter::warp_executions]; warps > 0)
    out +=
        value_row("active threads", fmt::format("{:.1f}", ratio(c[counter::thread_executions], warps)), "of 32", width);
  out += arithmetic_table(c, width);
  const occupancy_estimate e = occupancy_of(k);
  const std::string registers =
      k.registers < 0 ? "registers unknown" : fmt::format("{} registers a thread", k.registers);
  out +=
      value_row("occupancy at most", fmt::format("{:.0f}%", ratio(e.threads, kThreadsOfMultiprocessor) * 100),
                fmt::format("by {} ({} threads, {} of shared memory a block; {})", e.limited_by,
                            with_commas(k.threads_per_block), distance(k.static_shared + k.dynamic_shared), registers),
                width);
  if (k.stack > 0)
    out += value_row("local memory", with_commas(k.stack), "bytes of each thread are memory, not registers", width);
  return out;
}

// `text` after `head`, its further lines below its first.
std::string listed(std::string_view head, std::string_view text, tone t, const text_style& style) {
  const std::size_t width = std::clamp<std::size_t>(style.width, 60, 120);
  std::string out(head);
  for (const std::string& line : wrap(text, width - head.size() - 1))
    out += (out.size() == head.size() ? "" : std::string(head.size(), ' ')) + paint(line, t, style.color) + "\n";
  return out;
}

// What kernels as a whole leave unused.
std::string whole(const std::vector<profiled_kernel>& kernels, const text_style& style) {
  std::string out;
  std::size_t shown = 0;
  for (const profiled_kernel& k : kernels)
    for (const kernel_advice& a : advice_on(k)) {
      if (++shown > kShownLines) return out;
      if (shown == 1) out += paint("Kernels as a whole", tone::bold, style.color) + "\n";
      out += listed("-  ", fmt::format("{}: {}", k.kernel, a.what), tone::warning, style);
      out += listed("   ", a.why + ".", tone::plain, style);
      out += listed("   Change: ", a.change + ".", tone::good, style);
    }
  return out;
}

}  // namespace

std::string text_profile(const std::vector<profiled_kernel>& kernels, const text_style& style) {
  std::string out;
  const bool wide = is_wide_enough(kernels, style.width);
  for (const profiled_kernel& k : kernels) out += kernel_table(k, wide, style) + "\n";
  const auto dear = costly_lines(kernels, kShownLines);
  if (kernels.empty()) return "no kernel was launched\n";
  if (dear.empty())
    return out + paint("No line costs more than it has to.", tone::good, style.color) + "\n" + whole(kernels, style);
  out += paint("What costs most", tone::bold, style.color) + "\n";
  source_reader sources;
  const std::size_t width = std::clamp<std::size_t>(style.width, 60, 120);
  for (std::size_t i = 0; i < dear.size(); ++i) {
    const costly_line& c = dear[i];
    const std::string headline = fmt::format("{} at {}:{}", c.what, c.line->file, c.line->line);
    out += listed(fmt::format("{}. ", i + 1), headline, tone::warning, style);
    access where;
    where.file = c.line->file;
    where.path = c.line->path;
    where.line = c.line->line;
    if (const std::string text = sources.line(where); !text.empty())
      out += "     " +
             paint(shortened(text.substr(std::min(text.find_first_not_of(' '), text.size())), width - 5), tone::note,
                   style.color) +
             "\n";
    out += listed("   ", c.why + ".", tone::plain, style);
    out += listed("   Change: ", c.change + ".", tone::good, style);
  }
  return out + whole(kernels, style);
}

std::string text_profile_comparison(const std::vector<profiled_kernel>& before,
                                    const std::vector<profiled_kernel>& after, const text_style& style) {
  std::string out;
  for (const profiled_kernel& k : after) {
    const auto old = std::ranges::find(before, k.kernel, &profiled_kernel::kernel);
    out += paint(k.kernel, tone::bold, style.color) + (old == before.end() ? "  was not there before\n" : "\n");
    if (old == before.end()) continue;
    bool differs = false;
    for (std::size_t i = 0; i < kCounters; ++i) {
      const auto c = static_cast<counter>(i);
      const std::int64_t was = old->counters[c], is = k.counters[c];
      if (was == is) continue;
      differs = true;
      const std::string change = was == 0 ? "new" : fmt::format("{:+.1f}%", (ratio(is, was) - 1) * 100);
      constexpr std::size_t kOneLine = 77;  // else its numbers stand below the name
      const std::string line =
          style.width >= kOneLine
              ? fmt::format("  {:<32}{:>14} -> {:>14}  {:>9}", name(c), with_commas(was), with_commas(is), change)
              : fmt::format("  {}\n    {} -> {}  {}", name(c), with_commas(was), with_commas(is), change);
      out += paint(line, is < was ? tone::good : tone::warning, style.color) + "\n";
    }
    if (!differs) out += "  the same in every counter\n";
  }
  for (const profiled_kernel& k : before)
    if (std::ranges::find(after, k.kernel, &profiled_kernel::kernel) == after.end())
      out += paint(k.kernel, tone::bold, style.color) + "  is no longer there\n";
  return out;
}

}  // namespace simt
