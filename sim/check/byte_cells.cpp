// SPDX-License-Identifier: Apache-2.0
#include "sim/check/byte_cells.hpp"

#include "sim/check/access_checker.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {

byte_cells* byte_cell_pool::take() {
  const std::lock_guard guard(mutex_);
  if (free_.empty()) {
    count_.fetch_add(1, std::memory_order_relaxed);
    return &all_.emplace_back();
  }
  byte_cells* const bytes = free_.back();
  free_.pop_back();
  return bytes;
}

void byte_cell_pool::give_back(byte_cells* bytes) {
  *bytes = {};
  const std::lock_guard guard(mutex_);
  free_.push_back(bytes);
}

// ---- an access ----

// A write that races with another block's, and with nothing else, takes its place, as it does among the records of a
// slow cell: a mark that many threads set. `raced`: that one's word then.
template <bool Write>
bool access_checker::step_byte(thread_state& t, block_state::access_site& site, const cell_words& before,
                               cell_words& after, epoch when, shadow_word& raced) {
  block_state& b = *t.block;
  const shadow_word self = when | t.who;
  cell_words known = before;
  if (known.writer == 0) {
    if (!Write) return false;
    known.writer = kAncient;
  }
  const auto [w, r] = known;
  after = known;
  if (!Write && is_own(b, w, self, interval_start(t))) return true;
  if (middle_path_cell<Write, true, 1>(b, site, known, after, 0, self, interval_start(t))) return true;
  // The exact way, as of plain cells.
  const bool own = w > kAncient && who_of(w) == t.rank && epoch_of(w) >= interval_start(t) && is_of(b, epoch_of(w));
  if (!own && w > kAncient && !ordered(t, epoch_of(w), who_of(w))) {
    if (!Write || is_of(b, epoch_of(w)) || ordered(t, epoch_of(w), who_of(w), true)) return false;
    raced = w;
  }
  after = known;
  if constexpr (Write) {
    for (shadow_word rest = r; const shadow_word group = next_group(epochs_, rest, b.launch->floor);) {
      std::uint32_t who;
      const auto any = [&](auto f) { return sets_.any(who_of(group), f); };
      if (find_unordered(t, epoch_of(group), any, who, true) || find_unordered(t, epoch_of(group), any, who))
        return false;
    }
    after = {self, 0};
  } else if (!own) {
    after.readers = r == 0 ? self : readers_.add(t, r, when);
    if (!b.knows) {
      const shadow_word who = common_thread(b, r, self);
      step_slot(b, r ^ who, self ^ who) = {r ^ who, self ^ who, after.readers ^ who, b.quiet_from};
    }
  }
  return true;
}

template <bool Write>
bool access_checker::step_byte_cells(thread_state& t, byte_cells& bytes, std::uintptr_t address, std::uint32_t size,
                                     std::uintptr_t pc) {
  const epoch when = epoch_for(t, pc);
  auto& site = site_of(*t.block, pc);
  std::array<cell_words, 2> after;
  shadow_word raced = 0;
  cell* const first = &bytes.of[address & 3];
  for (std::uint32_t i = 0; i < size; ++i)
    if (!step_byte<Write>(t, site, {first[i].writer, first[i].readers}, after[i], when, raced)) return false;
  if (raced != 0) {
    if (size != 1) return false;  // of several bytes, one record may be of more than one
    operation op{t, address, size, pc, access_kind::write, when};
    reports_.race(op, address & ~std::uintptr_t{3}, static_cast<std::uint8_t>(1 << (address & 3)),
                  {epoch_of(raced), who_of(raced), access_kind::write}, false);
  }
  for (std::uint32_t i = 0; i < size; ++i) first[i] = {after[i].writer, after[i].readers};
  return true;
}

bool access_checker::bytes_apart(thread_state& t, const cell& c, std::uintptr_t address, std::uint32_t size, bool write,
                                 std::uintptr_t pc) {
  byte_cells& bytes = byte_cells_of(load(c.writer));
  return write ? step_byte_cells<true>(t, bytes, address, size, pc)
               : step_byte_cells<false>(t, bytes, address, size, pc);
}

// ---- to them and from them ----

bool cell_forms::part_bytes(block_state& b, cell& c, std::uintptr_t granule) {
  const shadow_word w = load(c.writer), r = readers_of(c);
  cell each{w, r};
  std::uint8_t initialised = 0xf;
  if (w == 0) {
    const auto* const u = uniform_at(b, granule);
    if (u == nullptr) return false;
    set_once(u->object->touched);
    each.writer = u->writer;
  } else if (is_byte_pattern(w)) {
    if (epoch_of(w) >= agents_.horizon) return false;
    initialised = byte_patterns_[pattern_of(w)].initialised;
    each = {last_write(c), 0};
  } else if (is_slow(w)) {
    gather(c);
    if (!is_over(slow_cell_of(w), agents_.horizon)) return false;
    initialised = slow_cell_of(w).initialised;
    each = {last_write(c), 0};
    shadow_.slow_cells.give_back(&slow_cell_of(w));
  }
  if (object_record* const o = objects_.find(granule)) set_once(o->has_slow_cells);
  byte_cells* const bytes = shadow_.bytes_apart.take();
  for (std::size_t i = 0; i < bytes->of.size(); ++i)
    bytes->of[i] = {(initialised >> i & 1) != 0 ? each.writer : 0, each.readers};
  store(c.writer, kByteCells | reinterpret_cast<std::uintptr_t>(bytes));
  set_readers(c, 0);
  return true;
}

slow_cell& cell_forms::slow_form_of_bytes(cell& c) {
  byte_cells& bytes = byte_cells_of(c.writer);
  const epoch floor = agents_.horizon;
  struct access {
    shadow_word what;
    record_kind kind;
    std::uint8_t mask;
  };
  std::vector<access> said;
  said.reserve(8);
  const auto say = [&](shadow_word what, record_kind kind, std::uint8_t mask) {
    for (access& a : said)
      if (a.what == what && a.kind == kind) {
        a.mask |= mask;
        return;
      }
    said.push_back({what, kind, mask});
  };
  for (std::size_t i = 0; i < bytes.of.size(); ++i) {
    const auto mask = static_cast<std::uint8_t>(1 << i);
    const shadow_word w = bytes.of[i].writer;
    if (epoch_of(w) >= floor) say(w, record_kind::plain_write, mask);
    for (shadow_word rest = bytes.of[i].readers; const shadow_word group = next_group(epochs_, rest, floor);)
      say(group, record_kind::plain_read, mask);
  }
  std::sort(said.begin(), said.end(),
            [](const access& x, const access& y) { return epoch_of(x.what) < epoch_of(y.what); });
  slow_cell* const e = shadow_.slow_cells.take();
  e->initialised = opt_.uninit ? bytes.initialised() : 0xf;
  e->written = std::max(bytes.written(), kAncient);
  for (const access& a : said) {
    const epoch when = epoch_of(a.what);
    bool first = true;
    const auto add = [&](std::uint32_t rank) {
      if (first) e->records.push_back({when, a.kind, {}, a.mask, 0, 0, rank, nullptr});
      e->records.back().add(rank);
      return first = false;
    };
    if (a.kind == record_kind::plain_write)
      add(who_of(a.what));
    else
      sets_.any(who_of(a.what), add);
    (is_write(a.kind) ? e->others : e->reads).add_unknown(when);
    e->made = when;
  }
  e->alike_from = e->records.size();
  shadow_.slow_cells.count_records(static_cast<std::ptrdiff_t>(e->records.size()));
  shadow_.bytes_apart.give_back(&bytes);
  store(c.writer, kSlow | reinterpret_cast<std::uintptr_t>(e));
  set_readers(c, 0);
  return *e;
}

}  // namespace simt::check
