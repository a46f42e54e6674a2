// SPDX-License-Identifier: Apache-2.0
// Random programs: how the threads of a launch synchronise.
#include "random_programs.hpp"

namespace random_programs {

void program::synchronise(running& r, thread_state& t, int a, int rank, int threads, bool strong_only,
                          std::vector<copy>& copies,
                          std::vector<std::pair<std::unique_ptr<sync_object>, oracle::both>>& objects, int number,
                          launch_state& l) {
  switch (pick(0, 12)) {
    case 0:
    case 1: {
      trace("barrier of block %d", r.index);
      block_barrier(*r.b);
      oracle_.barrier(r.agents);
      break;
    }
    case 2:
    case 3: {
      const auto mask = static_cast<std::uint32_t>(chance(40) ? 0xffffffffu : rng_()) | 1u << (rank % 32);
      trace("warp_sync block %d warp %d mask %x", r.index, rank / 32, mask);
      warp_sync(*r.b, rank / 32, mask);
      std::vector<int> ids;
      for (int i = 0; i < 32; ++i)
        if (mask >> i & 1 && rank / 32 * 32 + i < threads)
          ids.push_back(r.agents[static_cast<std::size_t>(rank / 32 * 32 + i)]);
      oracle_.together(ids);
      break;
    }
    case 4: {
      std::vector<int> ranks, ids;
      for (int i = 0; i < threads; ++i)
        if (chance(40)) ranks.push_back(i), ids.push_back(r.agents[static_cast<std::size_t>(i)]);
      if (ranks.empty()) break;
      trace("group_sync block %d of %zu", r.index, ranks.size());
      group_sync(*r.b, ranks);
      oracle_.together(ids);
      break;
    }
    case 5: {
      // A grid or cluster barrier, only where all its blocks are resident.
      if (static_cast<std::int64_t>(blocks_.size()) != l.blocks) break;
      const bool cluster = chance(70);
      std::vector<block_state*> bs;
      std::vector<int> ids;
      for (auto& x : blocks_)
        if (!cluster || x.b->cluster == r.b->cluster) {
          bs.push_back(x.b);
          ids.insert(ids.end(), x.agents.begin(), x.agents.end());
        }
      trace("blocks_sync of %zu", bs.size());
      blocks_sync(bs);
      oracle_.barrier(ids);
      break;
    }
    case 6: {
      auto& o = one_of_pair(objects);
      trace("agent %d release object", a);
      release(t, *o.first);
      o.second.join_with(oracle_.agents[static_cast<std::size_t>(a)].now);
      oracle_.tick(a);
      break;
    }
    case 7: {
      auto& o = one_of_pair(objects);
      trace("agent %d acquire object", a);
      acquire(t, *o.first);
      oracle_.agents[static_cast<std::size_t>(a)].now.join_with(o.second);
      break;
    }
    case 8: {
      trace("agent %d async", a);
      if (chance(50) && copies.size() < 3) {
        copy c;
        c.t = &async_begin(t);
        c.of = a;
        c.agent =
            oracle_.add(number, 1000 + static_cast<int>(oracle_.agents.size()), 0,
                        -1 - static_cast<int>(oracle_.agents.size()), oracle_.agents[static_cast<std::size_t>(a)].now);
        oracle_.tick(a);
        agent_index_[{l.agent, {c.t->block->number, 0}}] = c.agent;
        copies.push_back(std::move(c));
      } else if (!copies.empty()) {
        copy& c = copies[static_cast<std::size_t>(pick(0, static_cast<int>(copies.size()) - 1))];
        if (!c.joined) {
          release(*c.t, c.done);
          c.done_clock = oracle_.agents[static_cast<std::size_t>(c.agent)].now;
          oracle_.tick(c.agent);
          c.joined = true;
        }
        acquire(t, c.done);
        oracle_.agents[static_cast<std::size_t>(a)].now.join_with(c.done_clock);
      }
      break;
    }
    case 9: {
      const int barrier = pick(0, 1);
      if (chance(60)) {
        trace("agent %d arrives at barrier %d of block %d", a, barrier, r.index);
        arrive_at_named(t, barrier);
        oracle_.arrive(a, r.named[static_cast<std::size_t>(barrier)]);
        break;
      }
      std::vector<int> ranks{rank}, ids{a};
      for (int i = 0; i < threads; ++i)
        if (i != rank && chance(30)) ranks.push_back(i), ids.push_back(r.agents[static_cast<std::size_t>(i)]);
      trace("agent %d and %zu others wait at barrier %d of block %d", a, ranks.size() - 1, barrier, r.index);
      named_barrier(*r.b, barrier, ranks);
      oracle_.named_barrier(ids, r.named[static_cast<std::size_t>(barrier)]);
      break;
    }
    default: {
      const auto o = one_of<order>({order::acquire, order::release, order::acq_rel, order::seq_cst, order::acq_rel});
      const auto s = strong_only
                         ? scope::device
                         : one_of<scope>({scope::block, scope::device, scope::cluster, scope::system, scope::thread});
      trace("agent %d fence order %d scope %d", a, static_cast<int>(o), static_cast<int>(s));
      fence(t, o, s);
      oracle_.fence(a, o, s);
    }
  }
}

}  // namespace random_programs
