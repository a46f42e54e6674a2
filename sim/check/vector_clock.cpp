// SPDX-License-Identifier: Apache-2.0
// What join() remembers: "node a covers node b", by their names. It stays true for ever, for nodes do not change, and
// nobody else gets a name that is gone; so nothing has to be taken back, and nothing is kept alive. Only roots of large
// subtrees are remembered, one of kRemembered nodes: what join() walks through below one of them is short.
#include "sim/check/vector_clock.hpp"

#include <array>
#include <atomic>

namespace simt::check {
namespace {

std::uint64_t priority(std::uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdULL;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ULL;
  return key ^ key >> 33;  // a bijection: no two keys tie
}

constexpr std::uint64_t kRemembered = 16;

// Of a node's subtree it has the highest priority: one that is among the highest has many nodes below it.
bool is_large(const clock_node& n) { return priority(n.block) >= ~std::uint64_t{0} - ~std::uint64_t{0} / kRemembered; }

struct covering {
  std::uint64_t a = 0, b = 0;  // the name of a node that covers the node b
};

// Of this worker. A pair has one place, and takes it from an older one.
covering& place_of(const clock_node& a, const clock_node& b) {
  static constexpr std::size_t kPlaces = 8192;
  thread_local std::unique_ptr<std::array<covering, kPlaces>> places;
  if (!places) places = std::make_unique<std::array<covering, kPlaces>>();
  return (*places)[priority(a.name * 3 + b.name) % kPlaces];
}

bool known_to_cover(const clock_node& a, const clock_node& b) {
  const covering& c = place_of(a, b);
  return c.a == a.name && c.b == b.name;
}

vector_clock make(const clock_node& like, vector_clock left, vector_clock right) {
  return std::make_shared<const clock_node>(
      clock_node{like.block, like.base, like.threads, std::move(left), std::move(right)});
}

struct parts {
  vector_clock left, same, right;
};

parts split(const vector_clock& k, std::uint64_t key) {
  if (!k) return {};
  if (k->block == key) return {k->left, k, k->right};
  if (key < k->block) {
    parts p = split(k->left, key);
    if (!p.same && p.right == k->left) return {nullptr, nullptr, k};
    p.right = make(*k, p.right, k->right);
    return p;
  }
  parts p = split(k->right, key);
  if (!p.same && p.left == k->right) return {k, nullptr, nullptr};
  p.left = make(*k, k->left, p.left);
  return p;
}

// All of `small` is known by (base, big) already. Both are sorted by rank: a walk along both, with a search where `big`
// is much the longer.
bool covers(epoch base, const thread_times* big, const thread_times* small) {
  if (!small || small == big) return true;
  if (!big) return std::all_of(small->begin(), small->end(), [&](const auto& x) { return x.second <= base; });
  const bool search = small->size() < big->size() / 16;
  auto it = big->begin();
  for (auto [rank, time] : *small) {
    if (time <= base) continue;
    if (search)
      it = std::lower_bound(it, big->end(), std::pair<std::uint32_t, epoch>{rank, 0});
    else
      while (it != big->end() && it->first < rank) ++it;
    if (it == big->end() || it->first != rank || it->second < time) return false;
  }
  return true;
}

std::shared_ptr<const thread_times> merge(epoch base, const thread_times* a, const thread_times* b) {
  auto out = std::make_shared<thread_times>();
  const thread_times none;
  const auto &x = a ? *a : none, &y = b ? *b : none;
  auto i = x.begin();
  auto j = y.begin();
  while (i != x.end() || j != y.end()) {
    std::pair<std::uint32_t, epoch> next;
    if (j == y.end() || (i != x.end() && i->first < j->first)) {
      next = *i++;
    } else if (i == x.end() || j->first < i->first) {
      next = *j++;
    } else {
      next = {i->first, std::max(i->second, j->second)};
      ++i, ++j;
    }
    if (next.second > base) out->push_back(next);
  }
  if (out->empty()) return nullptr;
  return out;
}

// Neither is null.
vector_clock join_subtrees(const vector_clock& a, const vector_clock& b) {
  if (a->block != b->block && priority(a->block) < priority(b->block)) return join_subtrees(b, a);
  parts p = split(b, a->block);
  vector_clock left = join(a->left, p.left), right = join(a->right, p.right);
  if (!p.same) return left == a->left && right == a->right ? a : make(*a, std::move(left), std::move(right));
  const clock_node &x = *a, &y = *p.same;
  const bool x_wins = x.base >= y.base && covers(x.base, x.threads.get(), y.threads.get());
  const bool y_wins = y.base >= x.base && covers(y.base, y.threads.get(), x.threads.get());
  if (x_wins && left == x.left && right == x.right) return a;
  if (y_wins && left == y.left && right == y.right) return p.same;
  if (x_wins) return make(x, std::move(left), std::move(right));
  if (y_wins) return make(y, std::move(left), std::move(right));
  const epoch base = std::max(x.base, y.base);
  return std::make_shared<const clock_node>(
      clock_node{x.block, base, merge(base, x.threads.get(), y.threads.get()), std::move(left), std::move(right)});
}

}  // namespace

vector_clock clock_of_block(std::uint64_t block, epoch base, thread_times threads) {
  std::shared_ptr<const thread_times> t;
  if (!threads.empty()) t = std::make_shared<const thread_times>(std::move(threads));
  return std::make_shared<const clock_node>(clock_node{block, base, std::move(t), nullptr, nullptr});
}

vector_clock below(const vector_clock& k, std::uint64_t block) { return split(k, block).left; }

std::uint64_t next_clock_node() {
  static constexpr std::uint64_t kAtOnce = 1 << 16;
  static std::atomic<std::uint64_t> names = 1;
  thread_local std::uint64_t next = 0, end = 0;
  if (next == end) {
    next = names.fetch_add(kAtOnce, std::memory_order_relaxed);
    end = next + kAtOnce;
  }
  return next++;
}

vector_clock join(const vector_clock& a, const vector_clock& b) {
  if (a == b || !b) return a;
  if (!a) return b;
  if (!is_large(*a) || !is_large(*b)) return join_subtrees(a, b);
  if (known_to_cover(*a, *b)) return a;
  if (known_to_cover(*b, *a)) return b;
  vector_clock all = join_subtrees(a, b);
  if (all == a) place_of(*a, *b) = {a->name, b->name};
  if (all == b) place_of(*b, *a) = {b->name, a->name};
  return all;
}

}  // namespace simt::check
