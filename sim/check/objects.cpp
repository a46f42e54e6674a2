// SPDX-License-Identifier: Apache-2.0
// Device memory as objects: what an address belongs to, which bytes hold values, copies and fills by the host.
#include <sys/mman.h>

#include <cstring>

#include "sim/check/core.hpp"

namespace simt::check {
namespace {

void add_range(std::map<std::uintptr_t, std::uintptr_t>& ranges, std::uintptr_t from, std::uintptr_t to) {
  if (from >= to) return;
  auto it = ranges.upper_bound(from);
  if (it != ranges.begin() && std::prev(it)->second >= from) {
    --it;
    from = it->first;
    to = std::max(to, it->second);
    it = ranges.erase(it);
  }
  while (it != ranges.end() && it->first <= to) {
    to = std::max(to, it->second);
    it = ranges.erase(it);
  }
  ranges.emplace(from, to);
}

void remove_range(std::map<std::uintptr_t, std::uintptr_t>& ranges, std::uintptr_t from, std::uintptr_t to) {
  auto it = ranges.upper_bound(from);
  if (it != ranges.begin()) --it;
  while (it != ranges.end() && it->first < to) {
    const auto [a, b] = *it;
    if (b <= from) {
      ++it;
      continue;
    }
    it = ranges.erase(it);
    if (a < from) ranges.emplace(a, from);
    if (b > to) it = ranges.emplace(to, b).first;
  }
}

}  // namespace

object_record* detector_core::nearest_object(std::uintptr_t address) {
  auto it = objects.upper_bound(address);
  object_record* below = it == objects.begin() ? nullptr : &std::prev(it)->second;
  object_record* above = it == objects.end() ? nullptr : &it->second;
  if (!below || !above) return below ? below : above;
  const std::uintptr_t end = below->what.address + below->what.size;
  const std::uintptr_t past = address < end ? 0 : address - end;
  return past / 4 <= above->what.address - address ? below : above;  // most who go astray run past an end
}

object_record* detector_core::find_object(std::uintptr_t address) {
  auto it = objects.upper_bound(address);
  if (it == objects.begin()) return nullptr;
  object_record& o = std::prev(it)->second;
  return address - o.what.address < o.what.size ? &o : nullptr;
}

std::uint8_t detector_core::initial_mask(const object_record& o, std::uintptr_t granule) const {
  auto it = o.initial.upper_bound(granule + 3);
  std::uint8_t mask = 0;
  while (it != o.initial.begin()) {
    --it;
    if (it->second <= granule) break;
    for (std::uintptr_t i = 0; i < 4; ++i)
      if (granule + i >= it->first && granule + i < it->second) mask |= static_cast<std::uint8_t>(1 << i);
  }
  return mask;
}

detector_core::memory_state detector_core::look_up(thread_state& t, std::uintptr_t granule) {
  memory_state m;
  if (in_shared(granule)) {
    const block_state* owner =
        granule - t.block->owner->shared.base < t.block->owner->shared.size ? t.block->owner : owner_of_shared(granule);
    const auto add_arrays = [&](const block_state& b, std::uintptr_t from) {
      for (const shared_object& a : b.arrays)
        for (std::uintptr_t i = 0; i < 4; ++i)
          if (from + i - a.address < a.size) m.valid |= static_cast<std::uint8_t>(1 << i);
    };
    if (owner) add_arrays(*owner, granule);
    if (!m.valid && owner != t.block->owner)  // the other block has not got to its declaration yet
      if (const std::uintptr_t mine = counterpart(*t.block->owner, granule)) add_arrays(*t.block->owner, mine);
    return m;
  }
  const object_record* o = t.block->last_version == memory_version ? t.block->last_object : nullptr;
  if (!o || granule - o->what.address >= o->what.size) o = find_object(granule);
  if (!o) return m;
  t.block->last_object = o;
  t.block->last_version = memory_version;
  m.object = o;
  if (!o->live) return m;
  const std::uintptr_t left = o->what.address + o->what.size - granule;
  m.valid = left >= 4 ? 0xf : static_cast<std::uint8_t>((1 << left) - 1);
  m.initialised = initial_mask(*o, granule) & m.valid;
  return m;
}

const block_state::uniform_region* detector_core::find_uniform(block_state& b, std::uintptr_t granule) {
  const auto up = [](std::uintptr_t a) { return (a + 3) & ~std::uintptr_t{3}; };
  const auto down = [](std::uintptr_t a) { return a & ~std::uintptr_t{3}; };
  object_record* const o = find_object(granule);
  if (!o || !o->live) return nullptr;
  std::uintptr_t from = o->what.address, to = down(o->what.address + o->what.size);
  word writer = opt.uninit ? 0 : kAncient;
  const auto above = o->initial.upper_bound(granule);
  if (above != o->initial.end()) to = std::min(to, down(above->first));
  if (above != o->initial.begin()) {
    const auto [first, last] = *std::prev(above);
    if (granule < last) {
      from = std::max(from, up(first));
      to = std::min(down(o->what.address + o->what.size), down(last));
      writer = kAncient;
    } else {
      from = std::max(from, up(last));
    }
  }
  for (const range_write& x : o->writes) {
    if (x.id < horizon || x.from >= to || x.to <= from) continue;
    if (x.from <= granule && x.to >= granule + 4) {
      if (writer == 0) return nullptr;  // it copied what was not initialised
      from = std::max(from, up(x.from));
      to = std::min(to, down(x.to));
      writer = make_word(x.id, 0);  // replaces the ones before it
    } else if (x.from >= granule + 4) {
      to = std::min(to, down(x.from));
    } else if (x.to <= granule) {
      from = std::max(from, up(x.to));
    } else {
      return nullptr;  // a part of this cell
    }
  }
  if (granule < from || granule + 4 > to) return nullptr;
  if (!__atomic_load_n(&o->touched, __ATOMIC_RELAXED)) __atomic_store_n(&o->touched, true, __ATOMIC_RELAXED);
  auto& r = b.regions[b.next_region++ % b.regions.size()];
  r = {from, to - from, writer, memory_version, o};
  return &r;
}

block_state* detector_core::owner_of_shared(std::uintptr_t address) {
  std::lock_guard guard(owners_mutex);
  auto it = shared_owners.upper_bound(address);
  if (it == shared_owners.begin()) return nullptr;
  block_state* b = std::prev(it)->second;
  return address - b->shared.base < b->shared.size ? b : nullptr;
}

std::pair<std::uintptr_t, detector_core::expected_block*> detector_core::expected_owner(std::uintptr_t address) {
  auto it = expected_blocks.upper_bound(address);
  if (it == expected_blocks.begin()) return {0, nullptr};
  --it;
  return address - it->first < it->second.size ? std::pair{it->first, &it->second} : std::pair{std::uintptr_t{0}, nullptr};
}

std::uintptr_t detector_core::counterpart(const block_state& own, std::uintptr_t address) {
  if (const block_state* const owner = owner_of_shared(address)) return own.shared.base + (address - owner->shared.base);
  std::lock_guard guard(owners_mutex);
  const auto [base, block] = expected_owner(address);
  return block ? own.shared.base + (address - base) : 0;
}

void detector_core::clear_cells(std::uintptr_t from, std::uintptr_t to, bool may_be_extended) {
  const std::uintptr_t first = from & ~std::uintptr_t{3}, last = (to + 3) & ~std::uintptr_t{3};
  cell* const c = cell_of(first);
  cell* const end = first == last ? c : cell_of(last - 4) + 1;
  if (may_be_extended)
    for (cell* p = c; p < end; ++p)
      if (is_private(p->writer)) free_extended(&extended_of(p->writer));
  auto a = reinterpret_cast<std::uintptr_t>(c), b = reinterpret_cast<std::uintptr_t>(end);
  const std::uintptr_t page_a = (a + 4095) & ~std::uintptr_t{4095}, page_b = b & ~std::uintptr_t{4095};
  if (page_b > page_a && page_b - page_a >= 65536) {
    std::memset(c, 0, page_a - a);
    madvise(reinterpret_cast<void*>(page_a), page_b - page_a, MADV_DONTNEED);
    std::memset(reinterpret_cast<void*>(page_b), 0, b - page_b);
  } else {
    std::memset(static_cast<void*>(c), 0, b - a);
  }
}

void detector_core::forget_extended(std::uintptr_t from, std::uintptr_t to) {
  for (cell *c = cell_of(from), *const end = cell_of(to - 4) + 1; c < end; ++c)
    if (c->writer & kExtended) forget(*c);
}

void detector::allocated(allocation a, bool initialised) {
  detector_core& d = *core_;
  const std::uintptr_t from = a.address, to = a.address + a.size;
  ++d.memory_version;
  auto it = d.objects.lower_bound(from);
  if (it != d.objects.begin() && std::prev(it)->second.what.address + std::prev(it)->second.what.size > from) --it;
  while (it != d.objects.end() && it->first < to) it = d.objects.erase(it);  // freed ones whose place is used again
  // Large pages where they cannot cost much: first touches of the shadow are much of the time of a short kernel.
  constexpr std::uintptr_t kHuge = std::uintptr_t{1} << 21;
  if (d.cell_of(from) && a.size >= (std::size_t{1} << 20)) {
    const auto first = (reinterpret_cast<std::uintptr_t>(d.cell_of(from)) + kHuge - 1) & ~(kHuge - 1);
    const auto last = reinterpret_cast<std::uintptr_t>(d.cell_of(to - 1)) & ~(kHuge - 1);
    if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
  }
  object_record& o = d.objects[from];
  if (initialised) o.initial.emplace(from, to);
  o.what = std::move(a);
}

bool detector::freed(std::uintptr_t address, std::span<const std::uintptr_t> stack, int stream) {
  detector_core& d = *core_;
  (void)stream;
  auto it = d.objects.find(address);
  if (it == d.objects.end() || !it->second.live) {
    if (d.opt.memory) {
      const object_record* o = d.find_object(address);
      finding f;
      f.rule = rule::invalid_free;
      f.object = o ? o->what.info.name : "";
      f.message = it != d.objects.end() ? "freed a second time"
                  : o                   ? "freed at an address inside an allocation, not at its start"
                                        : "freed an address that was never allocated";
      f.why = "only the address that an allocation returned can be freed, and once";
      f.fix = it != d.objects.end() ? "remove one of the two frees" : "pass the pointer that the allocation returned";
      simt::access side;
      side.kind = access_kind::write;
      side.agent = "host";
      if (!stack.empty()) {
        side.pc = stack[0];
        side.callers.assign(stack.begin() + 1, stack.end());
      }
      f.accesses.push_back(std::move(side));
      bool fresh;
      std::lock_guard guard(d.found_mutex);
      const std::size_t at = d.add_finding(f.rule, f.object, stack.empty() ? address : stack[0], 0, f.severity, fresh);
      f.count = 1;
      if (at != detector_core::kNone && fresh) d.found[at] = std::move(f);
    }
    return false;
  }
  ++d.memory_version;
  object_record& o = it->second;
  if (o.touched) d.clear_cells(address, address + o.what.size, o.extended);
  o.live = o.touched = o.extended = false;
  o.initial.clear();
  o.writes.clear();
  return true;
}

std::vector<allocation> detector::live_allocations() const {
  std::vector<allocation> out;
  for (const auto& [address, o] : core_->objects)
    if (o.live) out.push_back(o.what);
  return out;
}

std::size_t detector::uninitialised_bytes(std::uintptr_t address, std::size_t size) const {
  detector_core& d = *core_;
  const object_record* o = d.find_object(address);
  if (!o || !o->live) return size;
  std::size_t count = 0;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4) {
    const cell* c = d.cell_of(at);
    const std::uint8_t init = d.initialised_in(*c, *o, at);
    for (std::uintptr_t i = 0; i < 4; ++i)
      if (at + i >= address && at + i < address + size && !(init >> i & 1)) ++count;
  }
  return count;
}

std::int64_t detector::unwritten_elements(std::uintptr_t address, std::size_t element_size, std::int64_t count) const {
  detector_core& d = *core_;
  const object_record* o = d.find_object(address);
  if (!o || !o->live) return -1;
  std::int64_t unwritten = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uintptr_t from = address + static_cast<std::uintptr_t>(i) * element_size;
    bool written = false;
    for (std::uintptr_t at = from & ~std::uintptr_t{3}; at < from + element_size && !written; at += 4) {
      const cell& c = *d.cell_of(at);
      const word w = c.writer;
      // Counters, bins and sums: where nothing is added the host's value is the result.
      if (is_private(w) && extended_of(w).updated.size != 0 && extended_of(w).written > o->host_written) return 0;
      const time_id last = id_of(d.last_write(c));
      written = last > kAncient && last > o->host_written;
    }
    unwritten += !written;
  }
  return unwritten;
}

std::uint8_t detector_core::initialised_in(const cell& c, const object_record& o, std::uintptr_t granule) const {
  const word w = c.writer;
  if (w == 0) return initial_mask(o, granule);
  return is_mosaic(w) ? mosaics[pattern_of(w)].initialised : is_private(w) ? extended_of(w).initialised : 0xf;
}

bool detector_core::never_written(const object_record& o, std::uintptr_t address, std::size_t bytes) {
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + bytes; at += 4) {
    const cell* c = cell_of(at);
    const std::uint8_t init = initialised_in(*c, o, at);
    for (std::uintptr_t i = 0; i < 4; ++i)
      if (at + i >= address && at + i < address + bytes && (init >> i & 1)) return false;
  }
  return true;
}

void detector_core::host_access(int stream, std::uintptr_t address, std::size_t bytes, bool write, std::string what,
                                std::span<const std::uintptr_t> stack, bool waited,
                                const std::vector<std::pair<std::uintptr_t, std::uintptr_t>>* init, bool copied_out) {
  if (!bytes) return;
  ++memory_version;
  launch_state& l = *host_launch;
  begin_agent(l, stream, {0, 0, 0, stream == 0 ? agent_kind::host : agent_kind::copy, std::move(what)});
  block_state& b = take_block();
  b.launch = &l;
  b.number = 0;
  b.begin_at(descriptors.now());
  thread_state& t = b.all[0];
  if (l.start) b.know(l.start);
  const std::uintptr_t pc = stack.empty() ? 0 : stack[0];
  operation op{
      t, address, bytes, pc, write ? access_kind::write : access_kind::read, descriptors.add({pc, 0, l.agent, 0})};
  op.uninitialised = true;  // the host may copy what nobody wrote beside what somebody did
  object_record* o = find_object(address);
  const bool inside = o && o->live && address + bytes <= o->what.address + o->what.size;
  if (!inside) {
    if (opt.memory)
      report_memory(op, o && !o->live ? rule::use_after_free : rule::out_of_bounds,
                    o && o->live ? o->what.address + o->what.size : address);
  } else {
    if (write) o->host_written = op.id;
    if (!write && opt.uninit && copied_out && never_written(*o, address, bytes)) {
      op.whole_copy = bytes;
      report_memory(op, rule::uninitialized_read, address);
    }
    // Everything before is ordered before this read, and everything after comes after it: nothing to find or keep.
    if (!write && waited && l.floor == b.base) {
      give_block(b);
      return;
    }
    // A write that comes after all that happened before simply replaces it, without a look at each cell. Cells that
    // also stand for bytes outside the range go the general way.
    const bool replaces = write && l.floor == b.base;
    const std::uintptr_t end = address + bytes;
    std::uintptr_t from = (address + 3) & ~std::uintptr_t{3}, to = end & ~std::uintptr_t{3};
    if (!replaces || from >= to) from = to = end;
    auto general = [&](std::uintptr_t first, std::uintptr_t last) {
      if (first >= last) return;
      op.address = first;
      op.size = last - first;
      plain_access(op, write);
      if (!write || !init) return;
      auto unwrite = [&](std::uintptr_t x, std::uintptr_t y) {
        for (x = std::max(x, first); x < std::min(y, last); ++x) {
          cell* c = cell_of(x);
          extended_cell& e = c->writer & kExtended ? extended_form(*c) : extend(op, *c, x & ~std::uintptr_t{3});
          e.initialised &= static_cast<std::uint8_t>(~(1 << (x & 3)));
        }
      };
      std::uintptr_t at = address;
      for (auto [x, y] : *init) unwrite(at, x), at = y;
      unwrite(at, end);
    };
    general(address, from);
    if (from < to) {
      // Cells that stay say "written, before all that comes": true of what the host knows to be done, whoever wrote.
      if (write && (stream == 0 || waited) && !init) {
        if (o->extended) forget_extended(from, to);
      } else if (o->touched) {
        clear_cells(from, to, o->extended);
      }
      remove_range(o->initial, from, to);
      if (init) {
        for (auto [x, y] : *init) add_range(o->initial, std::max(x, from), std::min(y, to));
      } else {
        add_range(o->initial, from, to);
      }
      std::erase_if(o->writes, [&](const range_write& w) { return w.id < horizon || (w.from >= from && w.to <= to); });
      if (stream != 0 && !waited) o->writes.push_back({op.id, from, to});
      general(to, end);
    }
  }
  ++memory_version;
  give_block(b);
}

// Between two events all atomics and fences of the host are those of one agent: a loop that polls is not one for each turn.
thread_state& detector_core::host_thread(int stream) {
  const bool goes_on = host_block && !host_waited && stream == 0 && host_agent + 1 == next_agent() && agent_of(host_agent).stream == 0;
  if (goes_on) return host_block->all[0];
  launch_state& l = *host_launch;
  host_waited = false;
  if (host_block) give_block(*host_block);
  ++memory_version;
  begin_agent(l, stream, {0, 0, 0, agent_kind::host, "atomic"});
  host_agent = l.agent;
  block_state& b = take_block();
  b.launch = &l;
  b.number = 0;
  b.begin_at(descriptors.now());
  b.know(l.start);
  thread_state& t = b.all[0];
  const auto& before = streams[static_cast<std::size_t>(stream)].host;
  t.clocks->fenced = before.fenced;
  t.clocks->acquirable = before.acquirable;
  t.has_acquirable = static_cast<bool>(before.acquirable[0]);
  host_block = &b;
  return t;
}

void detector_core::host_acted(thread_state& t, int stream) {
  auto& after = streams[static_cast<std::size_t>(stream)].host;
  after.fenced = t.clocks->fenced;
  after.acquirable = t.clocks->acquirable;
  if (stream == 0)
    host_known = t.clocks->known;
  else
    pass_on(*t.block);
}

void detector::host_atomic(int stream, std::uintptr_t address, std::uint32_t bytes, atomic_op op, order o, std::uintptr_t pc) {
  thread_state& t = core_->host_thread(stream);
  atomic(t, address, bytes, op, o, scope::system, pc);
  core_->host_acted(t, stream);
}
void detector::host_acquires(int stream, std::uintptr_t address, std::uint32_t bytes, order o) {
  thread_state& t = core_->host_thread(stream);
  core_->acquire_location(t, address, bytes, scope::system, acquires(o), false);
  core_->host_acted(t, stream);
}
void detector::host_fence(int stream, order o) {
  thread_state& t = core_->host_thread(stream);
  fence(t, o, scope::system);
  core_->host_acted(t, stream);
}
void detector::copy_to_device(int stream, std::uintptr_t to, std::size_t bytes, std::span<const std::uintptr_t> stack, bool waited) {
  core_->host_access(stream, to, bytes, true, "copy to the device", stack, waited, nullptr);
}
void detector::copy_to_host(int stream, std::uintptr_t from, std::size_t bytes, std::span<const std::uintptr_t> stack,
                            bool waited) {
  core_->host_access(stream, from, bytes, false, "copy to the host", stack, waited || stream == 0, nullptr, true);
}
void detector::host_reads(int stream, std::uintptr_t from, std::size_t bytes, std::span<const std::uintptr_t> stack) {
  core_->host_access(stream, from, bytes, false, "copy to the host", stack, stream == 0, nullptr);
}
void detector::fill(int stream, std::uintptr_t to, std::size_t bytes, std::span<const std::uintptr_t> stack) {
  core_->host_access(stream, to, bytes, true, "fill", stack, false, nullptr);
}
void detector::copy_on_device(int stream, std::uintptr_t to, std::uintptr_t from, std::size_t bytes,
                              std::span<const std::uintptr_t> stack) {
  core_->host_access(stream, from, bytes, false, "copy on the device", stack, false, nullptr);
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> runs;  // initialised parts, at their new place
  if (uninitialised_bytes(from, bytes) == 0) {
    core_->host_access(stream, to, bytes, true, "copy on the device", stack, false, nullptr);
    return;
  }
  for (std::uintptr_t i = 0; i < bytes; ++i)
    if (uninitialised_bytes(from + i, 1) == 0) {
      if (!runs.empty() && runs.back().second == to + i)
        ++runs.back().second;
      else
        runs.emplace_back(to + i, to + i + 1);
    }
  core_->host_access(stream, to, bytes, true, "copy on the device", stack, false, &runs);
}

}  // namespace simt::check
