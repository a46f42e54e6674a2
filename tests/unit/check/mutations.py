#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks the detector in many ways, one at a time, and checks that the tests notice each.

Usage: tests/unit/check/mutations.py [BUILD_DIR] [--only TEXT] [--jobs N]. Takes some minutes; not part of the test run.
Works on a copy of the sources, never on the tree itself.
"""
import argparse, concurrent.futures, pathlib, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
MUTATIONS = [  # what breaks, file, text, its replacement
    ("a block barrier orders nothing", "detector.cpp", "  base = quiet_from = now;\n  shared_floor", "  quiet_from = now;\n  shared_floor"),
    ("barrier does not spread what threads learnt", "sync.cpp", "  if (b.knows) b.know(b.known());\n", "  if (b.knows) b.know({});\n"),
    ("warp sync ignores its mask", "sync.cpp", "  const int first = warp * kWarp;", "  mask = 0xffffffff;\n  const int first = warp * kWarp;"),
    ("warp sync is not transitive", "sync.cpp", "std::max(all[static_cast<std::size_t>(i)], row[i]);", "all[static_cast<std::size_t>(i)];"),
    ("releases do not end the interval", "sync.cpp", "  t.released = b.quiet_from = now;", "  b.quiet_from = now;"),
    ("readers merge across releases", "sync.cpp", "  t.released = b.quiet_from = now;", "  t.released = now;"),
    ("scopes never matter", "sync.cpp", "  const scope narrow = std::min(x.tail_scope, s);", "  const scope narrow = scope::system;"),
    ("a store goes on with the release sequence", "sync.cpp", "    x->heads = {};", "    (void)0;"),
    ("fences do not release", "sync.cpp", "      if (*f) add_head(x->heads, b, static_cast<scope>(i), *f);", "      (void)f;"),
    ("fences do not acquire", "sync.cpp", "acquires(o) && (t.has_acquirable || seen[0])) {", "false) {"),
    ("relaxed loads acquire", "sync.cpp", "  if (!now && !by_barrier) return;", "  now = true;"),
    ("plain writes leave release sequences", "access.cpp", "if (write) overwrite_syncs(granule, op.address, op.size, false);", ""),
    ("a write forgets the readers unseen", "access.cpp", "for (word rest = r; const word group", "for (word rest = 0; const word group"),
    ("only one reader is kept", "access.cpp", "  word chain = rest;\n", "  return groups[joined];\n  word chain = rest;\n"),
    ("readers older than the block are forgotten", "access.cpp", "      rest = before;\n", "      rest = 0;\n"),
    ("readers beyond the 64 newest are forgotten", "access.cpp", "if (count == kMost || (g", "if (count == kMost) break;\n    if ((g"),
    ("chains of one thread forget whose they are", "descriptors.hpp", "const word who = who_of(rest) == kMixed ? 0 : rest & kWhoMask << kIdBits;", "const word who = 0;"),
    ("sets of readers grow by whom the cache names", "hot.hpp", "    if (slot.key != key) return false;\n", ""),
    ("an update's thread loses what it observed by a plain write", "extended.cpp", "else if (is_atomic(n.kind) || !updated_it)", "else"),
    ("reader steps of other threads are taken", "hot.hpp", "step.mine != (self ^ who) || ", ""),
    ("a glance takes steps of other threads", "hot.hpp", "(site.before == r && site.mine == self) ||", "site.before == r ||"),
    ("a glance takes steps of other histories", "hot.hpp", "(site.before == r && site.mine == self) ||", "site.mine == self ||"),
    ("a glance writes over readers", "hot.hpp", "return (r & kIdMask) < floor || is_own(", "return true || is_own("),
    ("records of other instructions and intervals are the thread's own", "hot.hpp", "(x & (kExtended | kIdMask)) == b.own_id && b.own_id >= newest && (x", "(x"),
    ("records of other threads are the thread's own", "hot.hpp", " && (x & ~kIdMask) == (self & ~kIdMask);", ";"),
    ("a glance reads what was just written", "hot.hpp", "(w & kMask) < oldest || (w & kMask) >= floor) return", "(w & kMask) < oldest) return"),
    ("a glance reads what nobody wrote", "hot.hpp", "(w & kMask) < oldest || (w & kMask) >= floor) return", "(w & kMask) >= floor) return"),
    ("descriptors outlive a release", "core.hpp", " && site.id >= min_id(t);", " && site.id >= t.block->base;"),
    ("descriptors outlive a barrier", "state.hpp", "std::max(t.released, t.block->base)", "std::max(t.released, t.block->first_id)"),
    ("descriptors outlive their block", "state.hpp", "std::max(t.released, t.block->base)", "t.released"),
    ("a glance takes the second cell for the first", "hot.hpp", "ri = get(c[i]); wi != w || ri != r)", "ri = get(c[i]); false && (wi != w || ri != r))"),
    ("a glance allows every address", "hot.hpp", " || t.pending || (address & (Size - 1)) != 0) [[unlikely]]", " || t.pending) [[unlikely]]"),
    ("a thread that reads again what nobody wrote is silent", "hot.hpp", "if (r == self && w != 0) return true;", "if (r == self) return true;"),
    ("shared stretches are not locked", "hot.hpp", "  lock_group(c);\n  const bool done", "  const bool done"),
    ("bytes of a mosaic are anybody's", "mosaic.cpp", "else if (a.write || write)\n      return {};", "else if (false)\n      return {};"),
    ("bytes of a mosaic are all initialised", "mosaic.cpp", "  if (!write && (mask & ~next.initialised)) return {};\n", ""),
    ("mosaics outlive barriers and releases", "mosaic.cpp", "if (!is_mosaic(w) || id_of(w) != epoch) {", "if (!is_mosaic(w)) {"),
    ("mosaics forget the launch before", "mosaic.cpp", "before = kChain | (w & ~(kExtended | kMosaic));", "before = 0;"),
    ("mosaics forget all but the launch before", "mosaic.cpp", "  before = link_mosaics(b, before, r);\n", ""),
    ("reads of a launch cover the writes before them", "mosaic.cpp", "(only_reads && was", "(true && was"),
    ("reads of some bytes cover those of others", "mosaic.cpp", "(only_reads && was.touched() == 0xf)", "only_reads"),
    ("mosaics forget what was before two launches", "mosaic.cpp", "  if (is_link(r)) return false;\n", "  if (is_link(r)) return true;\n"),
    ("mosaics forget the readers before", "mosaic.cpp", "    return id_of(r) < done;\n  }\n  const mosaic", "    return true;\n  }\n  const mosaic"),
    ("mosaics forget who wrote before", "mosaic.cpp", "    if (!is_shared) before = w;\n", "    if (!is_shared) before = kAncient;\n"),
    ("a mosaic's base never moves", "mosaic.cpp", "static_cast<std::int32_t>(base) + slot.next.shift", "static_cast<std::int32_t>(base)"),
    ("mosaics begin on what is not ordered", "mosaic.cpp", "id_of(w) < b.base && is_of(b, id_of(w)))) return false;", "id_of(w) < b.base && is_of(b, id_of(w)))) (void)0;"),
    ("mosaics take steps of other patterns", "mosaic.cpp", "if (slot.key != key || slot.pc", "if (slot.pc"),
    ("a mosaic begins on an extended cell that is not over", "mosaic.cpp", "return is_over(e, done) &&", "return"),
    ("a mosaic's cell is simple before it is over", "mosaic.cpp", "(mosaic ? id_of(w) < horizon : is_over(", "(mosaic ? true : is_over("),
    ("an extended cell is simple before it is over", "mosaic.cpp", ": is_over(extended_of(w), horizon))) return;", ": true)) return;"),
    ("a cell that is partly initialised is simple", "mosaic.cpp", "if (initialised != 0xf || !(", "if (!("),
    ("mosaics in shared memory of clusters", "mosaic.cpp", "b.launch->has_clusters", "false"),
    ("mosaics that nobody wrote in forget who did", "mosaic.cpp", "  if (!(r & kChain)) return std::max(r, word{kAncient});\n", ""),
    ("tokens of the launch before count", "lease.cpp", "    if (h != nullptr) h->token = ~std::uint32_t{0};", "    (void)h;"),
    ("stretches are taken without a fence", "lease.cpp", "      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);\n", ""),
    ("stretches are taken from a busy owner", "lease.cpp", "      wait_until_idle(now & 0xff, index);\n", ""),
    ("owners do not look at their entry", "lease.hpp", "if (entries[index].load(std::memory_order_acquire) == me.token) [[likely]]", "if (me.token != ~std::uint32_t{0})"),
    ("groups of cells are not locked", "state.hpp", "while (__atomic_fetch_or(&w, kLocked, __ATOMIC_ACQUIRE) & kLocked)", "while (false)"),
    ("locks drop the readers", "state.hpp", "inline void unlock_group(cell* c) { store(lock_word(c), lock_word(c) & ~kLocked); }", "inline void unlock_group(cell* c) { store(lock_word(c), 0); }"),
    ("partial accesses cover the whole word", "access.cpp", "mask &= static_cast<std::uint8_t>(0xf << (op.address - at));", "(void)0;"),
    ("shared memory keeps the last block's cells", "access.cpp", "  if (is_private(w) ? extended_of(w).made < born : w && id_of(w) < born) forget(c);", ""),
    ("atomics never race with plain accesses", "extended.cpp", "    const std::uint8_t common = o.mask & n.mask;", "    if (is_atomic(o.kind) != is_atomic(n.kind)) continue;\n    const std::uint8_t common = o.mask & n.mask;"),
    ("atomics of other sizes count as the same", "extended.cpp", "o.start == n.start && o.size == n.size) {\n      // Atomics", "true) {\n      // Atomics"),
    ("extended cells drop what a read is ordered after", "extended.cpp", "      weaker = !is_write(o.kind);", "      weaker = true;"),
    ("atomics replace plain records", "extended.cpp", "weaker = is_atomic(o.kind) && (n.kind == o.kind || n.kind == record_kind::atomic_write) && o.scope == n.scope &&\n               o.start == n.start && o.size == n.size && is_of", "weaker = (n.kind == o.kind || n.kind == record_kind::atomic_write) && is_of"),
    ("pruning by the launch's floor, not the horizon", "extended.cpp", "[&](const record& o) { return o.id < horizon; }", "[&](const record& o) { return o.id < l.floor; }"),
    ("extended cells start initialised", "extended.cpp", "e->initialised = opt.uninit ? m.initialised : 0xf;", "e->initialised = 0xf;"),
    ("the host and the device hold each other at device scope", "sync.cpp", "  if (x.tail_on_host != b.launch->on_host) return narrow == scope::system;\n", ""),
    ("the host acquires what was released at device scope", "sync.cpp", "    if (!b.launch->on_host) {\n      reach", "    {\n      if (b.launch->on_host) reach[reach_of(scope::system)] = x->heads.device;\n      reach"),
    ("device scope holds the host's release", "sync.cpp", "  if (b.launch->on_host) return;\n", ""),
    ("the host's fences end with its agent", "objects.cpp", "  t.clocks->fenced = before.fenced;\n", ""),
    ("what the host has read is lost with its agent", "objects.cpp", "  t.clocks->acquirable = before.acquirable;\n", ""),
    ("an update observes the host's write at device scope", "extended.cpp", "l.on_host == on_host(descriptors[o.id].agent) ? scope::device : scope::system", "scope::device"),
    ("streams follow each other", "detector.cpp", "    if (unordered < live.size()) l.floor", "    if (false) l.floor"),
    ("what a stream's launches inherit stays that of the first", "sync.cpp", "      for (std::uint32_t i = last.upto; i < l.agent; ++i)", "      if (!last.known)\n        for (std::uint32_t i = last.upto; i < l.agent; ++i)"),
    ("streams pass on nothing that their launches learned", "detector.cpp", "  d.pass_on(b);\n", ""),
    ("all streams know what one of them learned", "detector.cpp", "    if (agent_ordered(l, x)) l.start", "    l.start"),
    ("what the host learned is its own", "detector.cpp", "  l.start = host_known;\n", "  l.start = {};\n"),
    ("the order of streams is learnt once", "sync.cpp", "      if (news) last =", "      if (false) last ="),
    ("the host follows its streams", "detector.cpp", "  a.sequence = ++s.done", "  if (stream) streams[0].done.resize(9), ++streams[0].done[static_cast<std::size_t>(stream)];\n  a.sequence = ++s.done"),
    ("a copy erases what others did nearby", "objects.cpp", "std::uintptr_t from = (address + 3) & ~std::uintptr_t{3}, to = end & ~std::uintptr_t{3};", "std::uintptr_t from = address & ~std::uintptr_t{3}, to = (end + 3) & ~std::uintptr_t{3};"),
    ("grid barriers cover asynchronous copies", "core.hpp", "} else if (!(d.block & kAsyncBlock) && id < b.grid_base) {", "} else if (id < b.grid_base) {"),
    ("silent stores are errors", "findings.cpp", "const bool changed = std::memcmp", "const bool changed = true || std::memcmp"),
    ("lanes of a warp may exchange data by volatile", "extended.cpp", "if (n.lanes && n.is_volatile && o.is_volatile && is_write", "if (false && is_write"),
    ("volatile records count as any atomic's", "extended.cpp", "if (weaker && n.lanes && o.is_volatile && o.id >= b.base)", "if (false)"),
    ("copies of structures are judged before they happen", "detector.cpp", "if (t.clocks->owed && t.clocks->owed->may_be_copy", "if (false && t.clocks->owed->may_be_copy"),
    ("blocks of a cluster forget what came before them", "detector.cpp", "      b.first_id = early->second.since;\n", ""),
    ("blocks of a cluster take what came before them for their own", "detector.cpp", "      if (early->second.touched) b.share();\n", ""),
    ("copies carry no uninitialised bytes", "objects.cpp", "  if (uninitialised_bytes(from, bytes) == 0) {", "  if (true) {"),
    ("rows are begun whose lanes meet", "rows.cpp", "until_conflict(w, k, lanes));", "lanes);"),
    ("rows are begun where something would be found", "rows.cpp", "if (facts_[k].covered == 0) lanes = quiet_lanes", "if (false) lanes = quiet_lanes"),
    ("what a row's last thread did in part is lost", "rows.cpp", "const std::uint32_t to = lanes() + (k < partial);", "const std::uint32_t to = lanes();"),
    ("a row's covered reads may be of unwritten bytes", "rows.cpp", "f.write && !f.covers) == 0", "f.write) == 0"),
    ("a row's threads are all the first one", "rows.cpp", ", s.self += kLane) {", ") {"),
    ("rows of writes overlook readers", "wide_cells.hpp", "readers_count ? kIdMask : 0)", "0)"),
    ("readers of a row are those of another row", "rows.cpp", "known.set != set || ", ""),
    ("readers of a row forget the ones before", "rows.cpp", "known.before != before || ", ""),
    ("all lines of a row read one cell", "rows.cpp", "if (stride == 0 && (!in_lines_ || one_line_of_cells))", "if (stride == 0)"),
    ("columns of a row miss the last line", "rows.cpp", "lines - skipped + (x < below)", "lines - skipped"),
    ("rows go beyond what was looked at", "rows.cpp", "  limit_ = lanes;\n", "  limit_ = lanes + 1;\n"),
    ("rows hold threads that have released since", "rows.cpp", "    if (m > oldest_id) {", "    if (false) {"),
    ("a set of readers has read when one of it has", "access.cpp", "while (n < threads && has_read(n)) ++n;", "if (has_read(0)) n = threads;"),
]


def prepare(build):
    """A copy of the sources at BUILD/tree, configured to build at BUILD/out."""
    tree = build / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for part in ("sim/report", "sim/check", "tests/unit/check"):
        shutil.copytree(ROOT / part, tree / part, copy_function=shutil.copy)  # new times: BUILD may hold a broken one's objects
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    subprocess.run(["cmake", "-S", tree / "tests/unit/check", "-B", build / "out", "-G", "Ninja",
                    "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", "-DSIMT_CHECK_UNOPTIMISED=ON", *launcher], check=True, stdout=subprocess.DEVNULL)


def passes(build, seeds):
    made = subprocess.run(["ninja", "-C", build / "out", "check_unit"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        sys.exit("does not build:\n" + made.stdout[-3000:])
    with open(build / "last.log", "w") as log:
        try:
            return subprocess.run([build / "out" / "check_unit"], stdout=log, stderr=subprocess.STDOUT,
                                  env={"SIMT_ORACLE_SEEDS": seeds}, timeout=300).returncode == 0
        except subprocess.TimeoutExpired:
            log.write("took more than 300 s\n")
            return False


def try_all(build, mutations, seeds):
    """Prints a line for each mutation; gives the number that went unnoticed."""
    prepare(build)
    if not passes(build, seeds):
        sys.exit("the unbroken detector fails its own tests:\n" + (build / "last.log").read_text()[-3000:])
    missed = 0
    for what, name, old, new in mutations:
        file = build / "tree/sim/check" / name
        text = file.read_text()
        if text.count(old) < 1:
            sys.exit(f"{name}: text of mutation '{what}' not found: {old}")
        file.write_text(text.replace(old, new, 1))
        caught = not passes(build, seeds)
        file.write_text(text)
        print(f"{'caught' if caught else 'MISSED'}  {what}", flush=True)
        missed += not caught
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=str(ROOT / "build" / "mutations"))
    parser.add_argument("--only", default="")
    parser.add_argument("--seeds", default="600")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the sources that are worked on at a time")
    args = parser.parse_args()
    mutations = [m for m in MUTATIONS if args.only in m[0]]
    jobs = min(args.jobs, len(mutations)) or 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = [pool.submit(try_all, pathlib.Path(args.build) / str(i), mutations[i::jobs], args.seeds) for i in range(jobs)]
        missed = sum(p.result() for p in parts)
    print(f"{missed} of {len(mutations)} broken detectors went unnoticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
