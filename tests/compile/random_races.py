#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_races.py SEED COUNT [list]: writes C++ with COUNT programs for simrun, each with one random kernel that may have
races, leave elements unwritten or go past the end of an array. compare_loops.py runs them under check as loops and on
fibers. With `list` they are functions instead, which random_races.cpp runs in one process.

One kernel in five has barriers of the grid, or lacks some of them. Most accesses are linear in the thread's index and in the turns of loops, as the compiler pass lists them
(sim/instrument/loop_region.hpp); some are not. Barriers stand where all threads come alike, or are missing.
"""
import random
import sys


class kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.names = 0
        self.turns = []  # of the loops around the place
        self.careful = self.r.random() < 0.6  # most of these have no race
        self.warps = seed % 3 == 0  # operations of warps, too
        self.grid = seed % 5 == 1  # barriers of the grid, too
        self.grid_alike = self.grid  # all blocks come to this place alike

    def put(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def index(self, array):
        r = self.r
        kind = r.randint(0, 15)
        own = "me" if array == "s" else "gid"
        if self.careful and r.random() < 0.97:
            return own
        if kind <= 6:
            return own
        if kind == 7:
            return f"{own} + {r.choice([1, 2, 7, 32])}"
        if kind == 8:
            return f"{own} * {r.choice([2, 3])}"
        if kind == 9:
            return f"tx + {r.choice(['ty * dx', '2 * ty', 'n', '(int)n'])}"
        if kind == 10:
            return r.choice(["0", "n", "threads - 1 - me", "ty", "tx"])
        if kind == 11 and self.turns:
            return f"{own} + {r.choice(self.turns)} * {r.choice(['1', 'threads', 'n'])}"
        if kind == 12 and self.turns:
            return f"{r.choice(self.turns)} * {r.choice(['1', '2', 'n'])} + {r.choice(['0', 'tx', 'ty'])}"
        if kind == 13:
            return f"(me ^ {r.choice([1, 3])})"
        if kind == 14:
            return f"(int)(unsigned)(me * {r.randint(1, 9)} + {r.randint(0, 9)}) % threads"
        return f"{own} + (me < {r.randint(0, 40)} ? 1 : 0)"

    def element(self, array=None):
        array = array or self.r.choice(["s", "s", "s", "g", "x", "c", "h"])
        return f"{array}[{self.index(array)}]"

    def value(self):
        r = self.r
        return r.choice(["a", "a + 1", "me", "gid", "7", "1", f"{self.element()}", f"{self.element()} + a", f"{self.element()} + {self.element()}"])

    def condition(self):
        r = self.r
        return r.choice([
            f"me < {r.randint(0, 70)}", f"me >= {r.randint(0, 70)}", f"me == {r.randint(0, 40)}", "gid < limit", "gid + 1 < limit",
            f"tx > {r.randint(0, 8)}", f"ty < {r.randint(0, 4)}", f"me % {r.choice([2, 3])} == 0", "n > 3", "me != 0 && me < n + 20",
            f"me < n || me > {r.randint(20, 60)}", f"unsigned(me - {r.randint(1, 5)}) < {r.randint(1, 50)}u", "(me & 1) == 0"])

    def plain(self, depth):
        r = self.r
        kind = r.randint(0, 12)
        if kind <= 4 or depth > 4:
            target = self.element(r.choice(["s", "s", "g", "c", "h"]))
            self.put(depth, f"{target} {r.choice(['=', '=', '+='])} {self.value()};")
        elif kind <= 6:
            self.put(depth, f"a += {self.value()};")
        elif kind <= 8:
            self.put(depth, f"if ({self.condition()}) {{")
            for _ in range(r.randint(1, 2)):
                self.plain(depth + 1)
            if r.random() < 0.3:
                self.put(depth, "} else {")
                self.plain(depth + 1)
            self.put(depth, "}")
        elif kind <= 10:
            self.names += 1
            i = f"i{self.names}"
            bound = r.choice(["3", "n", "8", "n + 2"])
            self.put(depth, f"for (int {i} = {r.choice(['0', '1'])}; {i} < {bound}; ++{i}) {{")
            self.turns.append(i)
            for _ in range(r.randint(1, 2)):
                self.plain(depth + 1)
            self.turns.pop()
            self.put(depth, "}")
        elif kind == 11:
            self.atomic_statement(depth)
        elif r.random() < 0.5:
            self.put(depth, f"double_at(s, {self.index('s')}, a);")
        else:
            self.structure_statement(depth)

    def atomic_statement(self, depth):
        """Atomics of several kinds and scopes; the word that they change may be read or written plainly beside them."""
        r = self.r
        at = self.element(r.choice(["s", "g"]))
        relaxed = "simt::memory_order::relaxed"
        scope = f"simt::scope::{r.choice(['block', 'device', 'system'])}"
        kind = r.randint(0, 7)
        if kind <= 2:
            self.put(depth, f"t.atomic_add({at}, {self.value()});")
        elif kind == 3:
            self.put(depth, f"t.atomic_{r.choice(['max', 'min', 'exch', 'or'])}({at}, {self.value()}, {relaxed}, {scope});")
        elif kind == 4:
            self.put(depth, f"if ({at} < {r.randint(2, 9)}) a += t.atomic_cas({at}, {r.randint(1, 9)}, a);")
        elif kind == 5:
            self.put(depth, f"a += t.atomic_load({at}, simt::memory_order::{r.choice(['relaxed', 'acquire'])}, {scope});")
        elif kind == 6:
            self.put(depth, f"t.atomic_store({at}, {self.value()}, simt::memory_order::{r.choice(['relaxed', 'release'])}, {scope});")
        else:
            self.put(depth, r.choice(["t.threadfence();", "t.threadfence_block();"]))

    def structure_statement(self, depth):
        """Elements of 12 bytes, whole and by member, and words of 8 bytes over two others."""
        r = self.r
        own, other = self.index("v"), self.index("v")
        self.put(depth, r.choice([
            f"v[{own}] = v[{other}];", f"v[{own}].y = {self.value()};", f"a += v[{other}].z;", f"v[{own}] = {{a, a, {self.value()}}};",
            f"reinterpret_cast<long long*>(&s[0])[({self.index('s')}) & 511] = a;", f"a += int(reinterpret_cast<long long*>(&s[0])[({self.index('s')}) & 511]);",
            f"{{ auto copy = v[{own}]; copy.x += a; v[{own}] = copy; }}"]))

    def warp_operation(self):
        r = self.r
        return r.choice([
            f"t.shuffle_xor(kAll, a, {r.randint(1, 31)})", f"t.shuffle_down(kAll, {self.value()}, {r.randint(1, 16)})",
            f"t.shuffle(kAll, {self.value()}, me % 5)", f"t.shuffle_up(kAll, a, 1, {r.choice([8, 32])})", f"t.reduce_add(kAll, int({self.value()}))",
            f"int(t.ballot(kAll, {self.condition()}))", f"int(t.any(kAll, {self.condition()}))", "int(t.match_any(kAll, me % 3))"])

    def warp_phase(self, depth):
        """Where all lanes of a warp come alike."""
        r = self.r
        kind = r.randint(0, 5 if depth < 3 else 3)
        if kind <= 1:
            self.put(depth, f"a += {self.warp_operation()};")
        elif kind <= 3:
            self.put(depth, "s[me] = a;")
            if self.careful or r.random() < 0.7:
                self.put(depth, "t.sync_warp();")
            at = "threads - 1 - me" if not self.careful and r.random() < 0.1 else f"(me & ~31) + (me + {r.randint(1, 9)}) % lanes"
            self.put(depth, f"a += s[{at}];")
            if self.careful or r.random() < 0.8:
                self.put(depth, "t.sync_warp();")
        elif kind == 4:
            condition = r.choice(["me / 32 == 0", "me < 64", "me / 32 % 2 == 1", "n > 2", "t.any(kAll, a % 3 == 1)"])
            self.put(depth, f"if ({condition}) {{")
            self.warp_phase(depth + 1)
            self.put(depth, "}")
        else:
            self.names += 1
            k = f"q{self.names}"
            self.put(depth, f"for (int {k} = {r.choice(['0', 'me / 32'])}; {k} < {r.choice(['2', '3', 'n'])}; ++{k}) {{")
            self.warp_phase(depth + 1)
            self.put(depth, "}")

    def grid_phase(self, depth):
        """Where all threads of the grid come alike: what other blocks wrote is read behind a barrier, or without one."""
        r = self.r
        wait = lambda: self.put(depth, "t.sync_grid();") if self.careful or r.random() < 0.75 else None
        kind = r.randint(0, 6)
        array = r.choice(["g", "g", "c", "h"])
        if kind <= 3:
            self.put(depth, f"{array}[{'gid' if r.random() < 0.8 else self.index(array)}] {r.choice(['=', '+='])} {self.value()};")
            wait()
            at = r.choice(["(gid + threads) % all", "all - 1 - gid", f"(gid + {r.randint(1, 70)}) % all", "bx + 1 < all / threads ? gid + threads : gid"])
            self.put(depth, f"a += {array}[{at}];")
            wait()
        elif kind == 4:
            self.put(depth, f"t.atomic_add(g[(gid + threads) % all], {self.value()});")
            wait()
            self.put(depth, "a += g[gid];")
            wait()
        elif kind == 5:
            self.put(depth, "s[me] = a;")
            wait()
            self.put(depth, f"a += s[{r.choice(['threads - 1 - me', '(me + 1) % threads', 'me'])}];")
            wait()
        else:
            self.plain(depth)
            self.put(depth, "t.sync_grid();")

    def phase(self, depth):
        r = self.r
        if self.grid_alike and r.random() < 0.4:
            return self.grid_phase(depth)
        if self.warps and r.random() < 0.5:
            self.warp_phase(depth)
            if self.careful or r.random() < 0.3:
                self.put(depth, "t.sync();")
            return
        kind = r.randint(0, 9)
        if kind <= 6 or depth > 2:
            for _ in range(r.randint(1, 3)):
                self.plain(depth)
            if self.careful or r.random() < 0.75:
                self.put(depth, "t.sync();")
        elif kind == 7:
            self.names += 1
            k = f"k{self.names}"
            self.put(depth, f"for (int {k} = 0; {k} < {r.choice(['2', '3', 'n'])}; ++{k}) {{")
            self.turns.append(k)
            for _ in range(r.randint(1, 3)):
                self.phase(depth + 1)
            self.turns.pop()
            self.put(depth, "}")
        elif kind == 8:
            condition = r.choice(['n > 2', 'n < 2', 'bx == 0', 'bx + n > 3'])
            self.put(depth, f"if ({condition}) {{")
            alike, self.grid_alike = self.grid_alike, self.grid_alike and "bx" not in condition
            self.phase(depth + 1)
            self.grid_alike = alike
            self.put(depth, "}")
        else:
            self.put(depth, f"a += t.sync_count({self.condition()});")

    def body(self):
        r = self.r
        if self.careful or r.random() < 0.7:
            self.put(0, "s[me] = gid;" if self.careful or r.random() < 0.7 else "if (me < 48) s[me] = me;")
            if r.random() < 0.8:
                self.put(0, "t.sync();")
        if r.random() < 0.2:
            self.put(0, f"if ({r.choice(['gid >= limit', 'me > 50', 'tx == 13'])}) return;")
        for _ in range(r.randint(1, 5)):
            self.phase(0)
        if r.random() < 0.6:
            self.put(0, r.choice(["g[gid] = a;", "c[gid] = a;", "h[gid] = a;"]))
        return "\n".join(self.lines)


def program(seed, number, listed):
    r = random.Random(seed * 7 + 3)
    k = kernel(seed)
    body = k.body()
    block = r.choice(["64", "64", "33", "128", "8, 8", "16, 4", "4, 4, 4", "1", "256"])
    grid = r.choice([1, 4, 9, 20])  # the first block's accesses are never proved: where they are is not known yet
    threads = eval(block.replace(",", "*"))
    slack = r.choice([0, 0, 64, 2048])
    numbers = f"{r.choice([1, 2, 4, 5])}, {r.choice([grid * threads, grid * threads - 5, 20])}"
    shape = f"{{.grid = {grid}, .block = {{{block}}}{', .cooperative = true' if k.grid else ''}}}"
    if listed:
        host = f"""void run_{number}() {{
  const std::size_t n = {grid * threads + slack};
  auto x = simt::to_device(std::vector<int>(n, 3), "x");
  auto g = simt::to_device(std::vector<int>(n, 5), "g");
  auto c = simt::to_device(std::vector<unsigned char>(n, 9), "c");
  auto h = simt::to_device(std::vector<short>(n, 11), "h");
  auto v = simt::to_device(std::vector<triple>(n, triple{1, 2, 3}), "v");
  simt::launch<kernel_{number}>({shape}, simt::view<const int>(x.view()), g.view(), c.view(), h.view(), v.view(), {numbers});
}}
"""
    else:
        host = f"""void run_{number}(simt::run& r) {{
  const std::int64_t n = {grid * threads + slack};
  std::vector<int> xs(static_cast<std::size_t>(n), 3), gs(static_cast<std::size_t>(n), 5);
  auto x = r.input("x", xs);
  auto g = r.output("g", gs);
  auto c = simt::to_device(std::vector<unsigned char>(static_cast<std::size_t>(n), 9), "c");
  auto h = simt::to_device(std::vector<short>(static_cast<std::size_t>(n), 11), "h");
  auto v = simt::to_device(std::vector<triple>(static_cast<std::size_t>(n), triple{1, 2, 3}), "v");
  r.launch([&] {{
    simt::launch<kernel_{number}>(r.stream(), {shape}, x, g, c.view(), h.view(), v.view(), {numbers});
  }});
}}
const simt::program program_{number}{{{{.name = "random-{number}", .summary = "a random kernel"}}, run_{number}}};
"""
    return f"""
SIMT_DEVICE void kernel_{number}(simt::thread t, simt::view<const int> x, simt::view<int> g,
                              [[maybe_unused]] simt::view<unsigned char> c,
                              [[maybe_unused]] simt::view<short> h, [[maybe_unused]] simt::view<triple> v,
                              int n, int limit) {{
  auto& s = t.shared<"s", int[1024]>();
  const int tx = int(t.thread_idx().x), ty = int(t.thread_idx().y), bx = int(t.block_idx().x), dx = int(t.block_dim().x);
  const int threads = {threads}, me = t.rank(), gid = bx * threads + me, all = {grid * threads};
  constexpr std::uint32_t kAll = simt::kFullMask;
  const int lanes = threads - (me & ~31) < 32 ? threads - (me & ~31) : 32;
  int a = 1;
  (void)kAll, (void)lanes, (void)all, (void)tx, (void)ty, (void)dx, (void)gid, (void)limit, (void)n, (void)threads, (void)a, (void)s, (void)x, (void)g, (void)v;
{body}
}}
{host}"""


def main():
    seed, count, listed = int(sys.argv[1]), int(sys.argv[2]), len(sys.argv) > 3
    print("// Made by random_races.py.")
    print("#include %s\nnamespace {" % ('"random_races.hpp"' if listed else "<simt/program.hpp>"))
    print("struct triple {\n  int x, y, z;\n};")
    print("[[maybe_unused]] SIMT_DEVICE void double_at(int* where, int at, int by) { where[at] = where[at] * 2 + by; }")
    for i in range(count):
        print(program(seed * 100003 + i, i, listed))
    print("}  // namespace")
    if listed:
        entries = "".join(f'      {{"kernel_{i}", run_{i}}},\n' for i in range(count))
        print("const std::vector<random_races::launcher>& random_races::all() {\n  static const std::vector<launcher> list = {\n"
              + entries + "  };\n  return list;\n}")


main()
