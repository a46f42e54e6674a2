// SPDX-License-Identifier: Apache-2.0
// Turns what the checks saw into findings: folds repeats, keeps the first example with all detail. Decides nothing
// else.
#include <cstring>
#include <sstream>

#include "sim/check/core.hpp"

namespace simt::check {
namespace {

std::string text(const index3& i) {
  return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
}

std::string bytes_text(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

index3 unravel(std::int64_t linear, const index3& size) {
  return {linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
}

template <class T>
std::string decode(const void* bytes) {
  T v;
  std::memcpy(&v, bytes, sizeof v);
  std::ostringstream s;
  s.precision(9);
  if constexpr (sizeof(T) == 1)
    s << static_cast<int>(v);
  else
    s << v;
  return s.str();
}

// The value of one number; of structures, and where an access is not one element, nothing that could be trusted.
std::string value_text(std::string type, const void* bytes, std::size_t size) {
  if (type.starts_with("const ")) type.erase(0, 6);
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return type == n; });
  };
  const bool is_unsigned = type.find("unsigned") != std::string::npos || type.starts_with("uint") || type == "size_t";
  const bool is_integer =
      type.empty() || is_unsigned || is({"bool", "char", "signed char", "short", "short int", "int", "long", "long int", "long long",
                                         "long long int", "int8_t", "int16_t", "int32_t", "int64_t", "int32", "int64"});
  if (type == "float") return size == 4 ? decode<float>(bytes) : "";
  if (type == "double") return size == 8 ? decode<double>(bytes) : "";
  const std::size_t own = type.empty()                                                               ? size
                          : type == "bool" || type.find("char") != std::string::npos || type.ends_with("int8_t") ? 1
                          : type.find("short") != std::string::npos || type.ends_with("int16_t")     ? 2
                          : type.find("long") != std::string::npos || type.find("64") != std::string::npos || type == "size_t" ? 8
                                                                                                             : 4;
  if (!is_integer || size != own) return {};
  switch (size) {
    case 1:
      return is_unsigned ? decode<std::uint8_t>(bytes) : decode<std::int8_t>(bytes);
    case 2:
      return is_unsigned ? decode<std::uint16_t>(bytes) : decode<std::int16_t>(bytes);
    case 4:
      return is_unsigned ? decode<std::uint32_t>(bytes) : decode<std::int32_t>(bytes);
    case 8:
      return is_unsigned ? decode<std::uint64_t>(bytes) : decode<std::int64_t>(bytes);
    default:
      return {};
  }
}

struct place {
  std::string object, type;
  std::vector<std::int64_t> index;
  std::string element;  // "x[3][4]"
  std::int64_t offset = 0;
};

place place_in(const object_info& info, std::uintptr_t start, std::uintptr_t at) {
  place p;
  p.object = info.name;
  p.type = info.type;
  p.offset = static_cast<std::int64_t>(at - start);
  std::int64_t i = p.offset / static_cast<std::int64_t>(std::max<std::size_t>(info.element_size, 1));
  p.index.assign(std::max<std::size_t>(info.extents.size(), 1), 0);
  for (std::size_t axis = p.index.size(); axis-- > 1;) {
    const std::int64_t n = std::max<std::int64_t>(info.extents[axis], 1);
    p.index[axis] = i % n;
    i /= n;
  }
  p.index[0] = i;
  p.element = info.name.empty() ? "memory" : info.name;
  for (auto x : p.index) p.element += "[" + std::to_string(x) + "]";
  return p;
}

const char* scope_text(scope s) {
  switch (s) {
    case scope::thread:
      return "thread";
    case scope::block:
      return "block";
    case scope::cluster:
      return "cluster";
    case scope::device:
      return "device";
    case scope::system:
      return "system";
  }
  return "?";
}

// "a thread of block (0,0,0)" and the like, as one side of a finding.
simt::access side_of(detector_core& d, const launch_state& now, std::uint32_t agent_number, std::uint32_t block,
                     std::uint32_t rank, access_kind kind, std::uintptr_t pc) {
  simt::access s;
  s.kind = kind;
  s.pc = pc;
  const agent& a = d.agent_of(agent_number);
  if (a.kind != agent_kind::launch) {
    s.agent = a.stream == 0 ? "host" : "stream " + d.streams[static_cast<std::size_t>(a.stream)].name;
    return s;
  }
  if (block & kAsyncBlock) {
    s.state = "asynchronous copy started by this thread";
    std::lock_guard guard(d.pool_mutex);
    if (agent_number == now.agent && d.async_issuers.count(block)) {
      const auto issuer = d.async_issuers[block];
      block = issuer.first;
      rank = issuer.second;
    }
  }
  s.function = a.name;  // of the kernel, until the code address says more
  s.block = unravel(block & ~kAsyncBlock, a.grid);
  s.thread = unravel(rank, a.block);
  return s;
}

simt::access side_here(detector_core& d, const operation& op) {
  const block_state& b = *op.thread.block;
  simt::access s = side_of(d, *b.launch, b.launch->agent, b.number, op.thread.rank, shown_kind(op), op.pc);
  const bool runs_here = b.launch != d.host_launch.get() && !(b.number & kAsyncBlock);
  if (runs_here && d.opt.call_stack != nullptr) {
    const auto frames = d.opt.call_stack();
    s.callers.assign(frames.rbegin(), frames.rend());
  }
  return s;
}

place place_of(detector_core& d, const thread_state& t, std::uintptr_t at) {
  if (d.in_shared(at)) {
    const block_state* owner =
        at - t.block->owner->shared.base < t.block->owner->shared.size ? t.block->owner : d.owner_of_shared(at);
    const shared_object* best = nullptr;
    const auto find_array = [&] {
      if (owner)
        for (const shared_object& a : owner->arrays)
          if (at >= a.address && (!best || a.address > best->address)) best = &a;
    };
    find_array();
    if (!best && owner != t.block->owner)
      if (const std::uintptr_t mine = d.counterpart(*t.block->owner, at)) {
        owner = t.block->owner;
        at = mine;
        find_array();
      }
    if (!best && owner && !owner->arrays.empty()) best = &owner->arrays[0];
    if (best) return place_in(best->info, best->address, at);
    return {};
  }
  if (const object_record* o = d.nearest_object(at)) return place_in(o->what.info, o->what.address, at);
  return {};
}

}  // namespace

// The caller holds found_mutex.
std::size_t detector_core::add_finding(rule r, const std::string& object, std::uintptr_t pc, std::uintptr_t other,
                                       severity s, bool& fresh) {
  finding_key key{r, object, std::min(pc, other), std::max(pc, other)};
  auto it = found_index.find(key);
  fresh = it == found_index.end();
  if (!fresh) {
    finding& f = found[it->second];
    ++f.count;
    if (s == severity::error) f.severity = s;
    return it->second;
  }
  if (found.size() >= opt.max_findings) {
    ++dropped;
    return kNone;
  }
  found_index.emplace(std::move(key), found.size());
  finding& f = found.emplace_back();
  f.rule = r;
  f.severity = s;
  f.object = object;
  return found.size() - 1;
}

void detector_core::report_race(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& o,
                                bool scope_only) {
  if (on_sighting) {
    const rule r = scope_only ? rule::race_scope : in_shared(granule) ? rule::race_shared : rule::race_global;
    on_sighting(on_sighting_data, {r, granule, mask, &op, &o});
  }
  if (op.last_race_id == o.id && op.last_race_rank == o.rank && op.last_race_pc == o.pc) return;  // the same pair, in the next cell
  op.last_race_id = o.id;
  op.last_race_rank = o.rank;
  op.last_race_pc = o.pc;
  thread_state& t = op.thread;
  const block_state& b = *t.block;
  const launch_state& l = *b.launch;
  const std::uintptr_t at = granule + static_cast<std::uintptr_t>(std::countr_zero(static_cast<unsigned>(mask)));
  const bool shared_space = in_shared(at);
  const rule what = scope_only ? rule::race_scope : shared_space ? rule::race_shared : rule::race_global;
  descriptor d = descriptors[o.id];
  if (o.pc != 0) d.a = o.pc;
  const place p = place_of(*this, t, at);
  const bool owed = op.kind == access_kind::write && op.size <= 16 && agent_of(l.agent).kind == agent_kind::launch &&
                    !(b.number & kAsyncBlock);
  std::lock_guard guard(found_mutex);
  bool fresh;
  const std::size_t index = add_finding(what, p.object, op.pc, d.a, owed ? severity::warning : severity::error, fresh);
  if (index == kNone) return;
  finding& f = found[index];
  if (op.kind == access_kind::read && o.kind == access_kind::atomic)
    guesses.owe({l.agent, b.number, t.rank, op.address}, index);
  else if (op.kind == access_kind::atomic && o.kind == access_kind::read)
    guesses.owe({d.agent, d.block, o.rank, op.address}, index);
  if (fresh) {
    f.space = shared_space ? memory_space::shared : memory_space::global;
    f.index = p.index;
    f.type = p.type;
    f.bytes = static_cast<std::int64_t>(op.size);
    f.kernel = l.kernel;
    simt::access here = side_here(*this, op), before = side_of(*this, l, d.agent, d.block, o.rank, shown_kind(o), d.a);
    if (op.kind == access_kind::read && op.size <= 16)
      here.value = value_text(p.type, reinterpret_cast<void*>(op.address), op.size);
    if (o.kind == access_kind::write && op.kind != access_kind::atomic && op.size <= 16)  // an atomic has changed it already
      before.value = value_text(p.type, reinterpret_cast<void*>(op.address), op.size);
    const agent &mine = agent_of(l.agent), &theirs = agent_of(d.agent);
    auto who = [&](const simt::access& s) {
      return s.agent == "thread" ? "thread " + text(s.thread) + " of block " + text(s.block) : s.agent;
    };
    f.message = std::string(name(shown_kind(op))) + " of " + p.element + " by " + who(here) + " and " +
                std::string(name(shown_kind(o))) + " by " + who(before) + " are not ordered";
    auto label = [&](const agent& a) {
      const std::string on =
          a.stream == 0 ? std::string("the host") : "stream " + streams[static_cast<std::size_t>(a.stream)].name;
      return (a.kind == agent_kind::launch ? "kernel " + a.name : a.name) + " on " + on;
    };
    const bool one_launch = d.agent == l.agent;
    if (scope_only) {
      const bool both_atomic = op.kind == access_kind::atomic && o.kind == access_kind::atomic;
      if (both_atomic) {
        f.why = std::string("atomics at ") + scope_text(o.scope) + " and " + scope_text(op.scope) +
                " scope: the narrower scope does not reach the other thread, so they are not atomic to each other";
      } else {
        const std::string way = one_launch ? "block " + text(before.block) + " to block " + text(here.block)
                                           : label(theirs) + " to " + label(mine);
        f.why = "a release or acquire between them has a scope that does not reach the other thread (" + way +
                "); at system scope they would be ordered";
      }
      f.fix = one_launch ? "widen the scope of the atomic or fence, to device for threads of different blocks"
                         : "widen the scope of the atomic or fence: device for threads of one GPU, system where the host takes part";
    } else if (!one_launch) {
      f.why = label(theirs) + " and " + label(mine) + ": no event, wait or common stream orders them";
      f.fix = "put both on one stream, or record an event after the first and wait for it before the second";
    } else if ((d.block & kAsyncBlock) || (b.number & kAsyncBlock)) {
      f.why = "an asynchronous copy is complete for a thread only after that thread has waited for it";
      f.fix = "wait for the copy before using its source or destination";
    } else if (d.block == b.number) {
      const bool one_warp = o.rank / kWarp == t.rank / kWarp;
      f.why = one_warp ? "two lanes of one warp are not ordered without sync_warp() or sync()" : "no barrier between them";
      f.why += (one_warp ? "; both are" : ": both are") + (" in barrier interval " + std::to_string(b.barriers)) +
               " of block " + text(b.index);
      f.fix = one_warp ? "put a barrier (sync(); sync_warp() in a branch of one warp) between the two accesses, or make them atomic"
                       : "put a barrier (sync()) between the two accesses, or make them atomic";
      if (op.is_volatile && o.is_volatile) {
        f.why += "; volatile keeps no lanes in step";
        f.fix = "put sync_warp() between reading the other lanes' elements and writing, and again before they are read";
      }
    } else {
      f.why = "blocks of one launch are not ordered: nothing makes block " + text(here.block) + " wait for block " +
              text(before.block);
      f.fix = op.kind == access_kind::read && o.kind == access_kind::write
                  ? "split the kernel into two launches, or synchronise with release and acquire at device scope"
                  : "use an atomic operation, or give each block memory of its own";
    }
    f.accesses.push_back(std::move(here));
    f.accesses.push_back(std::move(before));
  }
  if (owed) {
    if (!t.clocks->owed) t.clocks->owed = std::make_unique<pending_write>();
    pending_write& w = *t.clocks->owed;
    if (w.findings.empty()) {
      w.address = op.address;
      w.size = static_cast<std::uint32_t>(op.size);
      std::memcpy(w.before.data(), reinterpret_cast<void*>(op.address), op.size);
    }
    w.may_be_copy = true;
    if (w.findings.size() < 8) w.findings.push_back(index);
    t.pending = t.block->owing = t.block->dirty = true;
  }
}

void detector_core::settle_write(thread_state& t) {
  if (!t.clocks->owed || t.clocks->owed->findings.empty()) return;
  pending_write& w = *t.clocks->owed;
  const bool changed = std::memcmp(w.before.data(), reinterpret_cast<void*>(w.address), w.size) != 0;
  std::lock_guard guard(found_mutex);
  for (std::size_t i : w.findings) {
    finding& f = found[i];
    if (changed) f.severity = severity::error;
    if (f.count == 1 && !f.accesses.empty() && f.accesses[0].value.empty())
      f.accesses[0].value = value_text(f.type, reinterpret_cast<void*>(w.address), w.size);
  }
  w.findings.clear();
}

void detector_core::report_memory(operation& op, rule r, std::uintptr_t at) {
  if (on_sighting && op.whole_copy == 0) on_sighting(on_sighting_data, {r, at, 0xf, &op, nullptr});
  thread_state& t = op.thread;
  at = std::max(at, op.address);
  const place p = place_of(*this, t, at);
  std::lock_guard guard(found_mutex);
  bool fresh;
  const std::size_t index = add_finding(r, p.object, op.pc, op.pc, severity::error, fresh);
  if (index == kNone || !fresh) return;
  finding& f = found[index];
  f.space = in_shared(at) ? memory_space::shared : memory_space::global;
  f.index = p.index;
  f.type = p.type;
  f.bytes = static_cast<std::int64_t>(op.size);
  f.kernel = agent_of(t.block->launch->agent).kind == agent_kind::launch ? t.block->launch->kernel : "";
  f.accesses.push_back(side_here(*this, op));
  const std::string doing = std::string(name(shown_kind(op))) + " of " + bytes_text(op.size);
  const char* space = f.space == memory_space::shared ? "shared" : "device";
  switch (r) {
    case rule::uninitialized_read:
      f.message = "read of " + p.element + ", which nothing has written";
      f.why = std::string("no thread, copy or fill has stored to this ") + space + " memory since it was " +
              (f.space == memory_space::shared ? "given to the block" : "allocated");
      f.fix = f.space == memory_space::shared ? "write the element before reading it; shared memory starts undefined"
                                              : "fill the buffer or copy data to it first";
      if (op.whole_copy != 0) {  // the host may have its reasons: padding, a capacity, a measurement
        f.severity = severity::warning;
        f.message = "copy of " + bytes_text(op.whole_copy) + " of " + (p.object.empty() ? "device memory" : p.object) +
                    ", none of which was ever written";
        f.fix = "look for the kernel or copy that should have written them: it was not launched, left early, or wrote elsewhere";
      }
      break;
    case rule::misaligned:
      f.message = doing + " at an address that is no multiple of " + std::to_string(op.size);
      f.why = "a GPU traps on accesses that are not aligned to their size";
      f.fix = "align the data, or use smaller accesses";
      if (op.whole_copy != 0) {
        const std::string size = std::to_string(op.size), whole = std::to_string(op.whole_copy);
        const std::string pieces = "asynchronous copy in pieces of " + size + (op.kind == access_kind::write ? " to " : " from ");
        f.message = op.whole_copy % op.size != 0 ? "asynchronous copy of " + whole + " bytes, which is no multiple of " + size
                    : op.declared_align != 0     ? pieces + p.element + ", whose array is only aligned to " + std::to_string(op.declared_align)
                                                 : pieces + "an address that is no multiple of " + size;
        f.why = "the call promises multiples of " + size + " and the hardware copies as many bytes at once: it traps, or leaves some out";
        f.fix = "align the array (alignas(" + size + ")) and the size, or promise less";
      }
      break;
    case rule::use_after_free:
      f.message = doing + " of " + p.element + " after it was freed";
      f.why = "the allocation has ended";
      f.fix = "free the buffer after the last kernel that uses it, and synchronise first";
      break;
    default: {
      f.message = p.element.empty() ? doing + " outside any " + (f.space == memory_space::shared ? "shared array" : "allocation")
                                    : doing + " at " + p.element + ", outside the " +
                                          (f.space == memory_space::shared ? "shared array" : "allocation");
      std::size_t size = 0;
      if (f.space == memory_space::global) {
        if (const object_record* o = nearest_object(at)) size = o->what.size;
      } else {
        for (const shared_object& a : t.block->owner->arrays)
          if (a.info.name == p.object) size = a.size;
      }
      if (!p.element.empty()) {
        f.why = p.offset < 0
                    ? bytes_text(static_cast<std::uint64_t>(-p.offset)) + " before the start of " + p.object
                    : bytes_text(static_cast<std::uint64_t>(p.offset) - size) + " past the end of " + p.object;
        f.why += ", which has " + bytes_text(size);
      } else {
        f.why = std::string("there is no ") + space + " memory at this address";
      }
      f.fix = "check the index against the number of elements";
    }
  }
}

void report_here(thread_state& t, rule r, severity s, access_kind kind, std::uintptr_t address, std::size_t bytes,
                 std::uintptr_t pc, std::string message, std::string why, std::string fix) {
  detector_core& d = *t.block->core;
  operation op{t, address, bytes, pc, kind, 0};
  const bool known = d.cell_of(address) != nullptr;
  const place p = known ? place_of(d, t, address) : place{};
  std::lock_guard guard(d.found_mutex);
  bool fresh;
  const std::size_t index = d.add_finding(r, p.object, pc, pc, s, fresh);
  if (index == detector_core::kNone || !fresh) return;
  finding& f = d.found[index];
  f.message = std::move(message);
  f.why = std::move(why);
  f.fix = std::move(fix);
  f.space = !known ? memory_space::host : d.in_shared(address) ? memory_space::shared : memory_space::global;
  f.index = p.index;
  f.type = p.type;
  f.bytes = static_cast<std::int64_t>(bytes);
  f.kernel = t.block->launch->kernel;
  f.accesses.push_back(side_here(d, op));
}

void detector::report_leaks() {
  detector_core& d = *core_;
  std::lock_guard guard(d.found_mutex);
  for (const auto& [address, o] : d.objects) {
    if (!o.live || o.what.outlives) continue;
    const std::uintptr_t pc = o.what.stack.empty() ? address : o.what.stack[0];
    bool fresh;
    const std::size_t index = d.add_finding(rule::leak, o.what.info.name, pc, 0, severity::error, fresh);
    if (index == detector_core::kNone) continue;
    finding& f = d.found[index];
    f.leaked.push_back(address);
    if (!fresh) continue;
    f.bytes = static_cast<std::int64_t>(o.what.size);
    f.type = o.what.info.type;
    f.message = (o.what.info.name.empty() ? "" : "'" + o.what.info.name + "': ") + bytes_text(o.what.size) +
                (o.what.size == 1 ? " is still allocated at exit" : " are still allocated at exit");
    f.why = "nothing freed the allocation that was made here";
    f.fix = "free it on every path before the program ends, or give it one owner that does so when it goes out of scope";
    simt::access side;
    side.kind = access_kind::write;
    side.agent = "host";
    side.state = "allocated it here";
    side.pc = o.what.stack.empty() ? 0 : o.what.stack[0];
    if (o.what.stack.size() > 1) side.callers.assign(o.what.stack.begin() + 1, o.what.stack.end());
    f.accesses.push_back(std::move(side));
  }
}

std::vector<finding> detector::findings() const {
  std::lock_guard guard(core_->found_mutex);
  std::vector<finding> out;
  out.reserve(core_->found.size());
  // The index is in order of rule, object and code place; with one worker it depends on nothing else.
  for (const auto& [key, index] : core_->found_index) {
    const finding& f = core_->found[index];
    const std::int64_t redeemed = core_->guesses.redeemed(index);
    if (redeemed >= f.count) continue;
    out.push_back(f);
    if (redeemed == 0) continue;
    out.back().severity = severity::warning;
    out.back().fix = "some threads check what they read with a compare-and-swap and some go by it alone; read with an atomic";
  }
  return out;
}

}  // namespace simt::check
