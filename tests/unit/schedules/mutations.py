#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutations.py BUILD [--only TEXT] [--sample N --seed S] [--jobs N] [--verify]: breaks the search over schedules and the
memory model in one way after the other, in copies of their sources, and expects schedule_tests to notice each.
BUILD: a finished build of the project by Ninja; it is left as it is."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "mutation"))
sys.dont_write_bytecode = True
import table
from ninja_commands import bench

SEARCH = "cli/schedule_search.cpp"
EXPLORE = "sim/exec/scheduler/explore.cpp"
STEPS = "sim/exec/scheduler/stepwise.cpp"
MEMORY = "sim/exec/scheduler/weak_memory.cpp"
RANDOM = "sim/exec/scheduler/random.cpp"
SCHEDULER = "sim/exec/scheduler/scheduler.cpp"
REPLAY = "sim/exec/scheduler/replay.cpp"
PCT = "sim/exec/scheduler/pct.cpp"
EARLY = "sim/exec/scheduler/stores_to_come.cpp"
HISTORIES = "cli/thread_histories.cpp"
MUTATIONS = [  # what breaks, file, text, its replacement
    ("random never switches", RANDOM, "    if ((number() & 3) != 0) return {};\n", "    return {};\n"),
    ("random ignores its seed", RANDOM, "(seed_ + 1) * 0x9E3779B97F4A7C15ULL", "0x9E3779B97F4A7C15ULL"),
    ("random never rests", RANDOM, "if (--left_ <= 0 && may_rest())", "if (false)"),
    ("random begins each launch awake", RANDOM, "number() % odds != 0", "false"),
    ("a replay does not begin with the rest", REPLAY, "r.picks.starts_with('z') && ", "false && "),
    ("steps forget the write before them", SEARCH, "      if (at != last_write_.end()) h = mixed(h, at->second);\n", ""),
    ("reads forget the write before them", SEARCH, "      if (at != last_write_.end()) h",
     "      if (at != last_write_.end() && s.kind != step_kind::read) h"),
    ("writes forget the write before them", SEARCH, "      if (at != last_write_.end()) h",
     "      if (at != last_write_.end() && s.kind == step_kind::read) h"),
    ("threads have no order of their own", SEARCH,
     "    h = mixed(h, before == last_of_thread_.end() ? 1 : before->second);\n", ""),
    ("who runs is no part of a state", SEARCH, "static_cast<std::uint64_t>(thread) + 17",
     "0 * static_cast<std::uint64_t>(thread)"),
    ("threads and places stand for each other", SEARCH, "mixed(mixed(static_cast<std::uint64_t>(s.thread) + 1, 0), s.place)",
     "mixed(static_cast<std::uint64_t>(s.thread) + 1, s.place)"),
    ("older values cost nothing", SEARCH, "(other.older > 0 || later ? 1 : 0)", "0"),
    ("what was read is no part of a state", SEARCH, "    if (s.source != 0) h = mixed(h, s.source);\n", ""),
    ("preemptions do not count", SEARCH, "(preempts ? 1 : 0)", "0"),
    ("a choice at an end costs, too", SEARCH, "s.running >= 0 && other.thread != s.running", "true"),
    ("states are spent at the first visit", SEARCH, "  if (at->second <= preemptions) return false;\n", "  return false;\n"),
    ("new places are not learned", SEARCH, "  if (!r.new_places.empty()) {\n", "  if (false) {\n"),
    ("the bound is one less", SEARCH, "next.preemptions > bound_.preemptions", "next.preemptions >= bound_.preemptions"),
    ("only the first other goes on", SEARCH, "    for (const step_choice& other : s.others) plan(run, i, s, other, state);\n",
     "    if (!s.others.empty()) plan(run, i, s, s.others.front(), state);\n"),
    ("a run is followed to its departure only", SEARCH, "&& i > behind + 1) return;", ") return;"),
    ("runs that did not tell are not made again", SEARCH, "  followed_.push_back(std::move(done));\n",
     "  if (run.tells_others) followed_.push_back(std::move(done));\n"),
    ("runs that are made again count twice", SEARCH, "  if (planned_.empty()) {\n    planned_run p",
     "  if (planned_.empty()) {\n    ++runs_;\n    planned_run p"),
    ("a unit is not asked for its first thread", STEPS, "      candidates_[kept++] = c;\n    else if (c.thread == last_)",
     "      candidates_[kept++] = c;\n    else"),
    ("who did the last step does not stand for its unit", STEPS, "    else if (c.thread == last_)", "    else if (false)"),
    ("another thread of the unit is another unit", STEPS, "if (unit_of(candidates_[i].thread) == unit_of(last_)) last = i;",
     "if (candidates_[i].thread == last_) last = i;"),
    ("warps are numbered without their block", STEPS, "return block * ((threads_of_block_ + kLanes - 1) / kLanes) +",
     "return 0 * block +"),
    ("who goes on unasked does not depart", EXPLORE, "return !departs && switches_", "return switches_"),
    ("pct overlooks its change points", PCT, " && std::ranges::count(changes_at_, steps()) == 0", ""),
    ("pct overlooks threads that spun", STEPS, "    left_out_ = left_out_ || in_vain;\n", ""),
    ("pct overlooks threads that gave way", STEPS, "    else\n      left_out_ = true;\n", ""),
    ("threads that gave way are passed over", STEPS, "return ++s.sent_in_vain <= kSpins && ++s.sent <= kMostSent;",
     "return false;"),
    ("who gives way where all spin is taken for awake", STEPS, "      mine.steps_of_all = 0;\n",
     "      mine.steps_of_all = mine.visits = 0;\n"),
    ("steps where all spin are none of the trail", STEPS,
     "    decide({&only, 1}, last_ >= 0 && unit_of(running) == unit_of(last_) ? 0 : kNobody);\n", ""),
    ("a loop with stores of its own never spins", STEPS, "s.visits < kSpins && s.rounds < kLongLoop",
     "s.visits < kSpins"),
    ("threads that have come meanwhile are overlooked", STEPS,
     "waiting_.running == running && waiting_.head == ready.queue.head && waiting_.tail == ready.queue.tail",
     "waiting_.running == running"),
    ("older values are not tried", EXPLORE,
     "      for (const std::uint32_t behind : offers(all[i])) s->others.push_back(step_of(all[i], behind));\n", ""),
    ("nobody else is tried", EXPLORE, "      if (i != chosen) s->others.push_back(step_of(all[i]));\n", ""),
    ("a run reads the newest value instead", EXPLORE, "      if (older > 0) weak()->choose(older);\n      if (d.later)", "      if (d.later)"),
    ("no conflict is noticed", STEPS, "    if (conflict) new_places_.insert(s.place + i);\n", ""),
    ("writes overlook reads of other blocks", STEPS, "(by_another(p.reader) || p.read_by_others)", "by_another(p.reader)"),
    ("threads that read before a write are no conflict", STEPS,
     "by_another(p.writer) || (writes && (by_another(p.reader) || p.read_by_others))", "by_another(p.writer)"),
    ("which value was read is not told", STEPS, "  out.older = older;\n", ""),
    ("an older value stays in memory", MEMORY,
     "  if (p.older_in_memory) std::memcpy(reinterpret_cast<void*>(what.address), &x.stores.back().value, what.bytes);\n", ""),
    ("reads may go back behind a read", MEMORY, "me.seen.raise(x.id, s.position);\n      for (const head&", "for (const head&"),
    ("a thread may overlook its own store", MEMORY, "me.seen.raise(x.id, s.position);\n  const auto place",
     "const auto place"),
    ("scopes never matter", MEMORY, "  if (s == scope::block) return from.block == to.block;\n", ""),
    ("the scope of one side is enough", MEMORY, "reaches(a, by, with) && reaches(b, with, by)",
     "reaches(a, by, with) || reaches(b, with, by)"),
    ("updates end a release sequence", MEMORY, "      passed_on = s.heads;\n", ""),
    ("stores go on with a release sequence", MEMORY, "    s.heads = std::move(passed_on);\n",
     "    s.heads = x.stores.back().heads;\n"),
    ("fences do not release", MEMORY, "    s.heads.insert(s.heads.end(), me.fenced.begin(), me.fenced.end());\n", ""),
    ("fences do not acquire", MEMORY,
     "    for (const unacquired& u : me.observed) acquire(me, t, u.from, s);\n    std::erase_if", "    std::erase_if"),
    ("relaxed loads acquire", MEMORY, "    if (strong && acquires(o)) {\n", "    if (strong) {\n"),
    ("acquires take what was read elsewhere", MEMORY, "if (u.location == x.id) acquire(", "acquire("),
    ("releases carry nothing", MEMORY, "      own.push_back({p.by, what.reach, me.seen});\n", ""),
    ("releases end at the next store", MEMORY, "std::vector<head>& own = me.released[x.id];", "std::vector<head> own;"),
    ("fence.sc do not see those before", MEMORY, "    each_level([&](const view& v) { me.seen.join(v); });\n", ""),
    ("fence.sc leave nothing", MEMORY, "  if (o == order::seq_cst) each_level([&](view& v) { v.join(me.seen); });\n", ""),
    ("fence.sc of a block hold everywhere", MEMORY, "    if (s >= scope::device) f(fences_[{scope::device, 0}]);\n",
     "    f(fences_[{scope::device, 0}]);\n"),
    ("seq_cst operations have no fence", MEMORY,
     "  if (what.ordered == order::seq_cst) fence(by, order::seq_cst, what.reach);\n", ""),
    ("older values are offered as if the fence came later", MEMORY,
     "  if (what.ordered == order::seq_cst) {  // its fence comes first\n", "  if (false) {\n"),
    ("the oldest value is not offered", MEMORY, "x->behind(older).position >= oldest", "x->behind(older).position > oldest"),
    ("barriers order nothing", MEMORY, "  for (const who& t : threads) threads_[t.thread].seen = all;\n", ""),
    ("which store was read is no part of a state", MEMORY, "x == nullptr ? kFirstStore : x->behind(older).id",
     "kFirstStore"),
    ("no store goes before another", MEMORY, "(what.what != kind::read && what.what != kind::write) ||", "what.what != kind::read ||"),
    ("stores go before what is before them", MEMORY, "x->behind(older).position >= oldest",
     "(what.what == kind::write || x->behind(older).position >= oldest)"),
    ("stores go between an update and what it read", MEMORY, "next.by_update ||", ""),
    ("what a store goes before is no part of a state", MEMORY, "id = mixed(mixed(id, 0), x->behind(older - 1).id);", ";"),
    ("what a store goes before and behind stand for each other", MEMORY, "mixed(mixed(id, 0), x->", "mixed(id, x->"),
    ("memory shows what is not the newest", MEMORY,
     "std::memcpy(reinterpret_cast<void*>(what.address), &x.newest().value, what.bytes);", ""),
    ("what goes before others counts as the newest", MEMORY,
     "between(x.behind(p.older).position, x.behind(p.older - 1).position)",
     "place_on_top(x, s, kept)"),
    ("stores need not come", EARLY, "  if (!promises_.empty()) unkept_ = true;\n", ""),
    ("who is behind a load may store what it reads", EARLY, "me.seen.at(p.mark) > 0 ||", ""),
    ("promised stores go before what their thread knows", EARLY, "|| me.seen.at(p.location) >= p.position", ""),
    ("promised stores release to acquires that are done", EARLY,
     "        if (strong_together(h.reach, h.by, at, r.by)) unkept_ = true;\n", "        (void)at;\n"),
    ("what is read early may be overlooked", EARLY, "    me.seen.raise(x.id, p->position);\n", "    ;\n"),
    ("a thread's own stores go behind what it has promised", EARLY, "if (!s.by_update && own != nullptr)", "if (false)"),
    ("no load reads what is stored later", SEARCH, "    if (i > behind) plan_early_reads(run, trail, i, state);\n", ""),
    ("stores that an update must not find are no reason", SEARCH, "(loads(r) || std::ranges::any_of(",
     "(loads(r) || false && std::ranges::any_of("),
    ("values come out of thin air", HISTORIES, "    if (trail[i].later && !justified(trail, i)) return false;\n", ""),
    ("any other value justifies", HISTORIES, "seen_.contains(mixed(up_to_store, l.value))", "!seen_.empty()"),
]


if __name__ == "__main__":
    sys.exit(table.main(table.table(MUTATIONS),
                        lambda a, _: bench(a.build, ["schedule_tests.check"], table.test_passes), __doc__))
