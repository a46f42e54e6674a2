// SPDX-License-Identifier: Apache-2.0
#include "sim/check/sides.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <sstream>

#include "sim/check/batch_checker.hpp"

namespace simt::check {
namespace {

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

place place_in(const object_info& info, std::uintptr_t start, std::uintptr_t at) {
  place p;
  p.known = true;
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
  return p;
}

// s[t - 1] of an unsigned t == 0 is the element 2^32 - 1 here. A GPU's addresses of shared memory have 32 bits, so
// there it is the one in front of s, in this block's memory or just before that. 0: it is no such address.
std::uintptr_t in_front_by_32_bits(const address_range& own, std::uintptr_t at) {
  constexpr std::uintptr_t kBefore = 256;
  for (int element = 32; element <= 36; ++element)  // 1 to 16 bytes
    if (const std::uintptr_t meant = at - (std::uintptr_t{1} << element);
        meant - (own.base - kBefore) < own.size + kBefore)
      return meant;
  return 0;
}

}  // namespace

std::string value_text(std::string type, const void* bytes, std::size_t size) {
  if (type.starts_with("const ")) type.erase(0, 6);
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return type == n; });
  };
  const bool is_unsigned = type.find("unsigned") != std::string::npos || type.starts_with("uint") || type == "size_t";
  const bool is_integer =
      type.empty() || is_unsigned ||
      is({"bool", "char", "signed char", "short", "short int", "int", "long", "long int", "long long", "long long int",
          "int8_t", "int16_t", "int32_t", "int64_t", "int32", "int64"});
  if (type == "float") return size == 4 ? decode<float>(bytes) : "";
  if (type == "double") return size == 8 ? decode<double>(bytes) : "";
  const std::size_t own =
      type.empty()                                                                                         ? size
      : type == "bool" || type.find("char") != std::string::npos || type.ends_with("int8_t")               ? 1
      : type.find("short") != std::string::npos || type.ends_with("int16_t")                               ? 2
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

simt::access side_of(const reporter& d, const launch_state& now, std::uint32_t agent_number, std::uint32_t block,
                     std::uint32_t rank, access_kind kind, std::uintptr_t pc) {
  simt::access s;
  s.kind = kind;
  s.pc = pc;
  const agent& a = d.agents.of(agent_number);
  s.work = a.doing;
  if (a.stream != 0) s.stream = d.agents.stream_name(a.stream);
  if (a.kind != agent_kind::launch) {
    s.agent = a.stream == 0 ? actor::host : actor::stream;
    return s;
  }
  s.kernel = a.name;
  s.function = a.name;  // until the code address says more
  if (block & kAsyncBlock) {
    s.work = work::async_copy;
    s.block = s.thread = kUnknownPosition;
    if (agent_number != now.agent) return s;
    const auto issuer = d.blocks.issuer_of(block);
    if (issuer.block & kAsyncBlock) return s;
    block = issuer.block;
    rank = issuer.rank;
  } else if (d.copies.has(pc)) {
    s.work = work::async_copy;
  }
  const own_place own = own_place_of(block, rank, a.grid, a.block);
  s.block = unravel(own.block, a.grid);
  s.thread = unravel(own.rank, a.block);
  return s;
}

simt::access side_here(const reporter& d, const operation& op) {
  const block_state& b = *op.thread.block;
  simt::access s = side_of(d, *b.launch, b.launch->agent, b.number, op.thread.rank, shown_kind(op), op.pc);
  const bool runs_here = d.agents.of(b.launch->agent).kind == agent_kind::launch && !(b.number & kAsyncBlock);
  const std::vector<std::uintptr_t>* const of_batch = batch_checker::of_this_thread().judged_calls();
  if (runs_here && (of_batch != nullptr || d.opt.call_stack != nullptr)) {
    const auto frames = of_batch != nullptr ? std::span<const std::uintptr_t>(*of_batch) : d.opt.call_stack();
    s.callers.assign(frames.rbegin(), frames.rend());
  }
  return s;
}

place place_of(const reporter& d, const thread_state& t, std::uintptr_t at) {
  if (d.shadow.in_shared(at)) {
    const block_state* owner =
        at - t.block->owner->shared.base < t.block->owner->shared.size ? t.block->owner : d.blocks.owner_of(at);
    if (const std::uintptr_t meant = owner == nullptr ? in_front_by_32_bits(t.block->owner->shared, at) : 0;
        meant != 0) {
      owner = t.block->owner;
      at = meant;
    }
    const shared_object* best = nullptr;
    const auto find_array = [&] {
      if (owner)
        for (const shared_object& a : owner->arrays)
          if (at >= a.address && (!best || a.address > best->address)) best = &a;
    };
    find_array();
    if (best && at - best->address >= best->size) {  // in a gap
      const std::uintptr_t past = at - best->address - best->size;
      const shared_object* above = nullptr;
      for (const shared_object& a : owner->arrays)
        if (a.address > at && (!above || a.address < above->address)) above = &a;
      if (above && !means_the_one_below(past, above->address - at)) best = above;
    }
    if (!best && owner != t.block->owner)
      if (const std::uintptr_t mine = d.blocks.counterpart(*t.block->owner, at)) {
        owner = t.block->owner;
        at = mine;
        find_array();
      }
    if (!best && owner == nullptr)
      if (const auto left = d.blocks.left_at(at)) {
        owner = t.block->owner;
        at = owner->shared.base + (at - left->shared.base);
        find_array();
      }
    if (!best && owner && !owner->arrays.empty()) best = &owner->arrays[0];
    if (best) return place_in(best->info, best->address, at);
    return {};
  }
  if (const object_record* o = d.objects.nearest(at)) return place_in(o->what.info, o->what.address, at);
  return {};
}

}  // namespace simt::check
