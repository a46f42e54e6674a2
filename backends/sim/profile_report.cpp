// SPDX-License-Identifier: Apache-2.0
// What the counters have seen, by source line: places in the code become lines, neighbouring accesses of one statement
// one instruction.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include <backends/sim/run_counters.hpp>
#include <sim/instrument/block_arithmetic.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/profiled_loops.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/shared_memory.hpp>
#include <sim/profile/consumer.hpp>
#include <sim/report/profile_data.hpp>
#include <sim/report/source_column.hpp>
#include <sim/report/symbolize.hpp>

namespace simt::sim {

namespace {

using profile::operation;
using profile::tally;

constexpr std::size_t kMostSamples = 4;  // of a line
static_assert(static_cast<std::size_t>(counter::special_operations) - static_cast<std::size_t>(counter::float32_adds) +
                  1 ==
              kArithmeticKinds);

// Headers whose functions do in loads and stores what a GPU has a unit for.
bool stands_in_for_a_unit(std::string_view path) {
  return path.ends_with("/mma.h") || path.ends_with("/simt_cuda/textures.hpp");
}

class by_line {
 public:
  explicit by_line(symbolizer& symbols) : symbols_(symbols) {}

  void add(std::uintptr_t site, operation what, const tally& t);
  void add(const profile::run_key& key, const profile::run_tally& t);
  void give(profiled_kernel& to);
  std::int64_t unknown() const { return unknown_; }

 private:
  struct site_place {
    std::string file, path;
    int line = 0, column = 0;
    bool stands_in = false;
  };
  const site_place& place_of(std::uintptr_t site);
  bool same_statement(const profile::run_key& key);
  void add_arithmetic(std::uintptr_t site, std::uint64_t threads);
  symbolizer& symbols_;
  std::map<std::uintptr_t, site_place> places_;
  std::map<std::pair<std::string, int>, profiled_line> lines_;
  std::int64_t unknown_ = 0;
};

const by_line::site_place& by_line::place_of(std::uintptr_t site) {
  const auto [at, is_new] = places_.try_emplace(site);
  if (is_new) {
    access a;
    a.pc = site;
    symbols_.resolve(a);
    const bool stands_in = std::ranges::any_of(
        symbols_.frames(site), [](const code_frame& f) { return f.engine && stands_in_for_a_unit(f.path); });
    at->second = {a.file, a.path, a.line, a.column, stands_in};
  }
  return at->second;
}

// What the type's alignment forbids in global memory (sim/compile/joined_members.hpp) may be one instruction in shared
// memory, whose arrays nvcc lays out itself. An update of a vector is made by headers of ours, member by member.
bool by_line::same_statement(const profile::run_key& key) {
  const bool shared = key.what == operation::shared_load || key.what == operation::shared_store;
  const bool updates = profile::is_global_update(key.what);
  const auto frames = [&](std::size_t i) { return symbols_.frames(key.sites[i]); };
  const std::vector<code_frame> first = frames(0);
  for (std::size_t i = 1; i < key.pieces; ++i) {
    const std::vector<code_frame> other = frames(i);
    const auto same = [&](const code_frame& a, const code_frame& b) {
      if (updates && a.engine && b.engine) return a.function == b.function;
      const bool same_column = a.column == b.column || (shared && may_be_one_in_shared(a.column, b.column));
      return a.file == b.file && a.line == b.line && same_column && a.function == b.function;
    };
    if (!std::equal(first.begin(), first.end(), other.begin(), other.end(), same)) return false;
  }
  return true;
}

warp_sample sample_of(const tally& t, std::string name) {
  const profile::sample& s = t.worst;
  warp_sample out{std::move(name), {s.block.x, s.block.y, s.block.z}, s.warp, s.access.size, s.cost, {}};
  std::uintptr_t base = s.shared_base;
  if (base == 0) {
    base = ~std::uintptr_t{0};
    for (std::uint32_t i = 0; i < profile::kLanes; ++i)
      if ((s.access.mask >> i & 1) != 0) base = std::min(base, s.access.address[i]);
    base &= ~std::uintptr_t{127};
  }
  for (std::uint32_t i = 0; i < profile::kLanes; ++i)
    out.offsets.push_back((s.access.mask >> i & 1) != 0 ? static_cast<std::int64_t>(s.access.address[i] - base) : -1);
  return out;
}

void by_line::add(std::uintptr_t site, operation what, const tally& t) {
  const site_place& where = place_of(site);
  if (where.line == 0) {
    unknown_ += what == operation::marker ? 0 : static_cast<std::int64_t>(t.executions);
    return;
  }
  profiled_line& line = lines_[{where.file, where.line}];
  line.file = where.file;
  line.line = where.line;
  line.path = where.path;
  line.stands_in = line.stands_in || where.stands_in;
  counters& c = line.counters;
  const auto put = [&](counter k, std::uint64_t v) { c[k] += static_cast<std::int64_t>(v); };
  put(counter::warp_executions, t.executions);
  put(counter::thread_executions, t.lanes);
  std::string name;
  switch (what) {
    case operation::marker:
      return add_arithmetic(site, t.lanes);
    case operation::turns:
    case operation::second_turn:
    case operation::loop_ends:
      return;  // never visited
    case operation::global_load:
      name = "global load";
      put(counter::global_load_requests, t.executions), put(counter::global_load_sectors, t.cost);
      put(counter::global_load_ideal_sectors, t.other), put(counter::global_load_bytes, t.bytes);
      break;
    case operation::global_store:
      name = "global store";
      put(counter::global_store_requests, t.executions), put(counter::global_store_sectors, t.cost);
      put(counter::global_store_ideal_sectors, t.other), put(counter::global_store_bytes, t.bytes);
      break;
    case operation::global_reduction:
    case operation::global_reduction_of_warp:
      name = "global reduction";
      put(counter::global_reduction_requests, t.executions), put(counter::global_reduction_sectors, t.cost);
      put(counter::global_reduction_ideal_sectors, t.other);
      break;
    case operation::global_atomic:
    case operation::global_atomic_of_warp:
    case operation::global_atomic_of_full_warp:
      name = "global atomic";
      put(counter::global_atomic_requests, t.executions), put(counter::global_atomic_sectors, t.cost);
      put(counter::global_atomic_ideal_sectors, t.other);
      break;
    case operation::shared_load:
      name = "shared load";
      put(counter::shared_load_requests, t.executions), put(counter::shared_load_wavefronts, t.cost);
      put(counter::shared_load_bank_conflicts, t.other);
      break;
    case operation::shared_store:
      name = "shared store";
      put(counter::shared_store_requests, t.executions), put(counter::shared_store_wavefronts, t.cost);
      put(counter::shared_store_bank_conflicts, t.other);
      break;
    case operation::shared_increment:
    case operation::shared_swap:
    case operation::shared_atomic_of_warp:
    case operation::shared_atomic_of_full_warp:
    case operation::shared_atomic:
      name = "shared atomic";
      put(counter::shared_atomic_requests, t.executions), put(counter::shared_atomic_wavefronts, t.cost);
      put(counter::shared_atomic_bank_conflicts, t.other);
      break;
  }
  auto& samples = line.samples;
  const auto same = std::ranges::find(samples, name, &warp_sample::operation);
  if (same == samples.end() && samples.size() < kMostSamples)
    samples.push_back(sample_of(t, std::move(name)));
  else if (same != samples.end() && t.worst.cost > static_cast<std::uint64_t>(same->cost))
    *same = sample_of(t, std::move(name));
}

// What the block of a marker does, for each thread that came through it.
void by_line::add_arithmetic(std::uintptr_t site, std::uint64_t threads) {
  const site_place& marker = place_of(site);
  for (const line_arithmetic& a : arithmetic_at(site)) {
    const std::string path = std::filesystem::path(a.path).lexically_normal().string();
    const std::string& file = path == marker.path ? marker.file : path;
    profiled_line& line = lines_[{file, a.line}];
    line.file = file;
    line.line = a.line;
    line.path = path;
    for (std::size_t k = 0; k < kArithmeticKinds; ++k)
      line.counters[static_cast<counter>(static_cast<std::size_t>(counter::float32_adds) + k)] +=
          static_cast<std::int64_t>(threads * a.operations[k]);
  }
}

void by_line::add(const profile::run_key& key, const profile::run_tally& t) {
  if (same_statement(key)) return add(key.sites[0], key.what, t.whole);
  for (std::size_t i = 0; i < key.pieces; ++i) add(key.sites[i], key.what, t.apart[i]);
}

void by_line::give(profiled_kernel& to) {
  for (auto& [key, line] : lines_) {
    to.counters += line.counters;
    to.lines.push_back(std::move(line));
  }
}

// Device memory that stands for basic blocks, and is nobody's; made once, before anything is watched.
std::uintptr_t markers() {
  static const auto base = [] {
    allocation a;
    a.name = "markers of simrun profile";
    return reinterpret_cast<std::uintptr_t>(device_allocate(4 * kProfileWords, a));
  }();
  return base;
}
profile::address_range to_profile(address_range r) { return {r.base, r.bytes}; }
std::vector<profile::address_range> constants() {
  std::vector<profile::address_range> all;
  for (const allocation& a : live_allocations())
    if (a.constant) all.push_back({a.address, a.bytes});
  return all;
}

class line_counters final : public run_counters {
 public:
  explicit line_counters(bool checked)
      : counter_(to_profile(device_range()), to_profile(shared_range()),
                 profile::address_range{markers(), 4 * kProfileWords}, &constants) {
    profile_markers = markers();
    host_is_unheard = !checked;
  }
  ~line_counters() override {
    profile_markers = 0;
    host_is_unheard = false;
  }
  consumer& listener() override { return counter_; }
  std::vector<profiled_kernel> counted(symbolizer& symbols, std::vector<std::string>& notes) override;

 private:
  profile::counting_consumer counter_;
};

std::vector<profiled_kernel> line_counters::counted(symbolizer& symbols, std::vector<std::string>& notes) {
  std::vector<profiled_kernel> all;
  const host_turn turn;
  for (const auto& [name, counts] : counter_.kernels()) {
    profiled_kernel& kernel = all.emplace_back();
    kernel.kernel = name;
    kernel.launches = counts.launches;
    kernel.threads_per_block = counts.threads_per_block;
    kernel.static_shared = counts.static_shared;
    kernel.dynamic_shared = counts.dynamic_shared;
    kernel.partial = counts.cut;
    if (counts.cut)
      notes.push_back(
          fmt::format("{}: its threads do too much between two waits to be followed; what was counted until "
                      "then is shown (docs/limitations.md)",
                      name));
    by_line lines(symbols);
    std::map<profile::place, const tally*> in_order;  // of the code: which sample comes first is the same in every run
    counts.sites.each([&](const profile::place& p, const tally& t) { in_order[p] = &t; });
    for (const auto& [p, t] : in_order) lines.add(p.site, p.what, *t);
    if (!code_has_markers)
      notes.push_back(
          fmt::format("{} was built without markers of basic blocks: its lanes are put together by what they "
                      "access alone (docs/profile.md)",
                      name));
    for (const auto& [key, t] : counts.runs) lines.add(key, t);
    lines.give(kernel);
    if (std::ranges::any_of(kernel.lines, &profiled_line::stands_in))
      notes.push_back(
          fmt::format("{}: loads and stores of its tensor core fragments or textures are those of code of "
                      "ours; a GPU's are others (docs/limitations.md)",
                      name));
    if (lines.unknown() > 0)
      notes.push_back(fmt::format("{}: {} memory instructions are of no line that is known, and are in no count", name,
                                  lines.unknown()));
  }
  return all;
}

}  // namespace

std::unique_ptr<run_counters> count_run(bool checked) { return std::make_unique<line_counters>(checked); }

}  // namespace simt::sim
