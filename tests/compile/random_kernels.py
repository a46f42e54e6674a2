#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_kernels.py SEED COUNT [small] [grid]: writes C++ with COUNT random kernels that have no races; random_kernels.cpp runs
each of them as loops and on fibers, in blocks of many shapes, and compares what they leave. small: most kernels have
one to three statements that wait, which compile five times faster; else most have 6 to 22. grid: all of them wait for the
grid.

What a kernel does is the same for every order of threads: between two barriers a thread writes its own element of a
shared array, or reads anybody's. Control flow around barriers depends on uniform values (parameters, the block's index,
votes, elements of shared memory behind a barrier); other control flow on anything. One kernel in seven has no barrier.

Three in ten wait for the whole grid, too: at places that all blocks reach alike, so control flow around those depends on
what is the same for the grid (parameters, elements of global memory behind a barrier of the grid). Behind such a barrier
a thread reads what any block has written. Of each block one thread never leaves early: a block that is gone never comes.
"""
import random
import re
import sys

from random_values import expressions
from random_few import few_statements
from random_warps import warp_statements
from random_grids import grid_statements

# What a kernel has only if it uses it: its name as it is used, its declaration, what goes into the result.
VARIABLES = [
    (r"\bpc\[", "unsigned char pc[8] = {1, 2, 3, 4, 5, 6, 7, static_cast<unsigned char>(a)};", "pc[3] + pc[6]"),
    (r"\b(q|pq\[)", "std::uint64_t q = a * 0x9E3779B97F4A7C15ull;", "static_cast<unsigned>(q >> 21)"),
    (r"\bpq\[", "std::uint64_t pq[2] = {q, b};", "static_cast<unsigned>(pq[0] >> 5)"),
    (r"\bf\b", "float f = static_cast<float>(a & 15u);", "bits(f)"),
    (r"\bg\b", "double g = static_cast<double>(b & 31u);", "bits(static_cast<float>(g)) * 3u"),
    (r"\bh\b", "simt::half h(static_cast<float>(me & 7u));", "bits(static_cast<float>(h)) * 5u"),
    (r"\bk8\b", "std::int8_t k8 = static_cast<std::int8_t>(a);", "static_cast<unsigned>(k8)"),
    (r"\bk16\b", "std::uint16_t k16 = static_cast<std::uint16_t>(a >> 3);", "static_cast<unsigned>(k16) * 9u"),
]
# Arrays of shared memory beside s, likewise.
ARRAYS = [("sc", "unsigned char"), ("sq", "std::uint64_t"), ("sg", "double"), ("sm", "short"), ("ds", "unsigned")]


class kernel(expressions, few_statements, warp_statements, grid_statements):
    def __init__(self, seed, small, grid):
        self.r = random.Random(seed)
        self.lines = []
        self.names = 0
        self.budget = self.r.choice([1, 1, 1, 2, 2, 3, 4, 8]) if small else self.r.randint(6, 22)
        self.shared = self.r.random() < 0.86  # and barriers
        self.warps = self.shared and self.r.random() < 0.5  # operations of warps, too
        self.in_rows = self.r.random() < 0.5  # launched in grids and blocks of one row, with indices made for that
        self.may_return = True  # at this place a part of the threads
        self.grid = self.r.random() < 0.3 or grid  # barriers of the grid, too
        self.grid_alike = self.grid  # all blocks come to this place alike
        self.stays = self.r.choice(["me != 0u", "me + 1u != threads", "me != threads / 2u"])  # false for who stays

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def put(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def plain(self, depth):
        """Statements without barriers."""
        r = self.r
        kind = r.randint(0, 18)
        if kind <= 3 or depth > 5:
            self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+=', '^='])} {self.value()};")
        elif kind == 4:
            self.put(depth, f"p[({self.value()}) & 3u] {r.choice(['=', '+='])} {self.value()};")
        elif kind == 5:
            self.put(depth, f"f = f * 0.5f + static_cast<float>(({self.value()}) & 1023u);")
        elif kind == 6:
            self.put(depth, f"if ({self.condition()}) {{")
            self.some_plain(depth + 1)
            if self.may_return and r.random() < 0.2:
                self.put(depth + 1, self.leaving(r.choice(["return;", "out[gid] ^= a + 7u * b; return;"])))
            elif r.random() < 0.5:
                self.put(depth, "} else {")
                self.some_plain(depth + 1)
            self.put(depth, "}")
        elif kind == 7:
            self.turns(depth)
        elif kind == 8:
            self.put(depth, f"switch (({self.value()}) % 4u) {{")
            for k in range(3):
                self.put(depth + 1, f"case {k}: {r.choice('abcd')} += {self.value(2)}; {r.choice(['break;', '[[fallthrough]];'])}")
            self.put(depth + 1, f"default: {r.choice('abcd')} ^= {self.value(2)};")
            self.put(depth, "}")
        elif kind == 9:
            self.atomic(depth)
        elif kind == 10:
            i = self.fresh("i")
            self.put(depth, f"for (unsigned {i} = 0; {i} < {r.randint(2, 40)}u; ++{i}) a += {self.value(2)} ^ {i};")
        elif kind == 11:
            self.stride(depth)
        elif kind == 12:
            self.sum(depth)
        elif kind <= 15:
            self.other_types(depth)
        else:
            self.put(depth, f"out[gid] {r.choice(['=', '+='])} {self.value()};")

    def inside_a_loop(self, depth):
        may, self.may_return = self.may_return, self.may_return and self.r.random() < 0.3
        self.some_plain(depth)
        self.may_return = may

    def turns(self, depth):
        """A loop that each thread leaves when it likes."""
        r = self.r
        i = self.fresh("i")
        if r.random() < 0.3:
            self.put(depth, f"unsigned {i} = ({self.value()}) & {r.choice([7, 15, 31])}u;")
            self.put(depth, "do {" if r.random() < 0.5 else f"while ({i} > 0u) {{")
            closing = f"}} while ({i} > 0u);" if self.lines[-1].endswith("do {") else "}"
            self.inside_a_loop(depth + 1)
            self.put(depth + 1, f"{i} {r.choice(['>>= 1', '/= 3u', '= (' + i + ' & (0u - ' + i + ')) ^ ' + i])};")
            self.put(depth, closing)
            return
        self.put(depth, f"for (unsigned {i} = 0; {i} < ({self.value()}) % {r.randint(2, 7)}u; ++{i}) {{")
        self.inside_a_loop(depth + 1)
        if r.random() < 0.4:
            self.put(depth + 1, f"if ({self.condition()}) {r.choice(['break', 'continue'])};")
        self.put(depth + 1, f"{r.choice('abcd')} += {i};")
        self.put(depth, "}")

    def atomic(self, depth):
        """On elements of all threads, where the order does not show; or on the thread's own, and the result is used."""
        r = self.r
        if r.random() < 0.5:
            first, name = r.choice([(0, "add"), (8, "max"), (16, "xor"), (24, "or"), (32, "min")])
            return self.put(depth, f"t.atomic_{name}(sums[{first}u + ({self.value()}) % 8u], {self.value()});")
        own = r.choice(["out[gid]", "s[me]"] if self.shared else ["out[gid]"])
        name = r.choice(["add", "sub", "max", "min", "and", "or", "xor", "exch", "inc", "dec", "cas"])
        expected = f"{self.value(1)}, " if name == "cas" else ""
        self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+=', '^='])} t.atomic_{name}({own}, {expected}{self.value(1)});")

    def other_types(self, depth):
        r = self.r
        self.put(depth, r.choice([
            f"q = q * 6364136223846793005ull + ({self.value()});",
            f"q ^= static_cast<std::uint64_t>({self.value()}) << {r.randint(0, 40)};",
            f"k8 = static_cast<std::int8_t>(k8 + ({self.value()}));",
            f"k16 = static_cast<std::uint16_t>(k16 * 3u ^ ({self.value()}));",
            f"g = g * 0.25 + static_cast<double>(({self.value()}) & 65535u);",
            f"h = h * simt::half(0.5f) + simt::half(static_cast<float>(({self.value()}) & 127u));",
            f"pc[({self.value()}) & 7u] {r.choice(['=', '+='])} static_cast<unsigned char>({self.value(1)});",
            f"pq[({self.value()}) & 1u] += q ^ ({self.value(1)});",
        ]))

    def stride(self, depth):
        """A grid-stride loop over x, which has 1000 elements; indices of every type."""
        r = self.r
        i = self.fresh("i")
        type_ = r.choice(["unsigned", "unsigned", "int", "std::int64_t", "std::size_t"])
        first = r.choice(["gid", "gid", "me", "tx", f"gid + {r.randint(1, 40)}u", "bx * dx + tx", "(ty * dx + tx)"])
        limit = r.choice(["n * 37u + 5u", "900u", "(u0 & 7u) * 100u", "size", "size - u1"])
        step = r.choice(["threads", "threads * 3u", "dx", "16u", "u2 % 7u + 1u"])
        inside = r.random() < 0.7
        if inside:
            self.put(depth, f"for (auto {i} = static_cast<{type_}>({first}); {i} < static_cast<{type_}>({limit}); {i} += static_cast<{type_}>({step})) {{")
        else:
            self.put(depth, f"auto {i} = static_cast<{type_}>({first});")
            self.put(depth, f"for (; {i} < static_cast<{type_}>({limit}); {i} += static_cast<{type_}>({step})) {{")
        at = f"x[static_cast<std::int64_t>({i})]"
        for _ in range(r.randint(1, 2)):
            self.put(depth + 1, r.choice([
                f"{r.choice('abcd')} {r.choice(['+=', '^=', '='])} {at};",
                f"f = f * 0.5f + static_cast<float>({at} & 255u);",
                f"if ({at} & 1u) {r.choice('abcd')} += static_cast<unsigned>({i});",
                f"t.atomic_add(sums[{at} % 8u], {at});",
                f"q = q * 3u + {at};",
                f"k8 = static_cast<std::int8_t>(k8 ^ {at});",
                f"g = g * 0.5 + static_cast<double>({at} & 255u);",
                f"p[{at} & 3u] += {at};",
                f"out[gid] += {at};",
            ]))
        self.put(depth, "}")
        if not inside:
            self.put(depth, f"{r.choice('abcd')} ^= static_cast<unsigned>({i});")

    def sum(self, depth):
        """A loop that sums floats, over neighbours' or the same elements."""
        r = self.r
        j = self.fresh("j")
        guard = r.choice(["", "", f"if (me < {r.choice(['n', '7u', 'threads - 1u'])}) ", f"if ({self.condition()}) "])
        turns = r.choice(["n % 20u", "u0 * 3u", "12u", "u1 % 9u"])
        at = r.choice([f"x[static_cast<std::int64_t>({j}) * 16 + tx]", f"x[static_cast<std::int64_t>(gid) + {j}]",
                       f"x[static_cast<std::int64_t>({j})]"] + ["s[me % threads]"] * self.shared)
        self.put(depth, f"{guard}for (unsigned {j} = 0; {j} < {turns}; ++{j}) f += static_cast<float>({at} & 63u) * 0.5f;")

    def some_plain(self, depth):
        for _ in range(self.r.randint(1, 3)):
            self.plain(depth)

    def waiting(self, depth):
        """Statements with barriers, at places that all threads reach alike."""
        r = self.r
        self.budget -= 1
        if self.grid_alike and r.random() < 0.35:
            return self.grid_statement(depth)
        if not self.shared:
            return self.some_plain(depth)
        if self.warps and r.random() < 0.4:
            return self.warp_statement(depth)
        if r.random() < 0.15:
            return self.few_threads(depth)
        kind = r.randint(0, 15)
        if self.budget <= 0 or depth > 4:
            kind = r.randint(0, 7)
        if kind <= 2:
            self.exchange(depth)
        elif kind == 3:
            self.put(depth, f"u{r.randint(0, 2)} = static_cast<unsigned>(t.sync_count({self.condition()})) % 7u;")
        elif kind == 4:
            self.put(depth, f"if (t.sync_{r.choice(['or', 'and'])}({self.condition()})) {r.choice('abcd')} += {self.value()};")
        elif kind == 5:
            self.some_plain(depth)
            self.put(depth, self.barrier())
        elif kind == 6:
            self.put(depth, r.choice([
                f"{r.choice('abcd')} ^= neighbour(t, s, me, threads, {self.value()});",
                f"u{r.randint(0, 2)} = how_many(t, [&](unsigned z) {{ return z + ({self.value(2)}) % 5u > {r.randint(0, 6)}u; }}, {self.value()}) % 6u;"]))
        elif kind == 7:
            self.ticket(depth)
        elif kind == 8:
            self.put(depth, f"if (({self.uniform()}) {r.choice(['<', '>', '=='])} {self.uniform()}) {{")
            with self.in_some_blocks():
                self.some_waiting(depth + 1)
                if r.random() < 0.5:
                    self.put(depth, "} else {")
                    self.some_waiting(depth + 1)
            self.put(depth, "}")
        elif kind in (9, 10):
            i = self.fresh("v")
            self.put(depth, f"for (unsigned {i} = 0; {i} < ({self.uniform()}) % 5u; ++{i}) {{")
            with self.in_some_blocks():
                self.waiting_turns(depth + 1)
            if r.random() < 0.3:
                self.put(depth + 1, f"if (({self.uniform()}) == {i}) {r.choice(['break', 'continue'])};")
            self.put(depth + 1, f"{r.choice('abcd')} ^= {i};")
            self.put(depth, "}")
        elif kind == 11:
            i = self.fresh("w")
            self.put(depth, f"for (unsigned {i} = threads; {i} > 1; {i} = ({i} + 1) / 2) {{")
            self.put(depth + 1, "t.sync();")
            self.put(depth + 1, f"const unsigned half = ({i} + 1) / 2;")
            self.put(depth + 1, f"if (me + half < {i}) s[me] += s[me + half];")
            self.put(depth, "}")
            self.put(depth, "t.sync();")
        elif kind == 12:
            self.put(depth, f"switch (({self.uniform()}) % 3u) {{")
            for k in range(2):
                self.put(depth + 1, f"case {k}: {{")
                with self.in_some_blocks():
                    self.some_waiting(depth + 2)
                self.put(depth + 1, "} break;")
            self.put(depth + 1, f"default: {r.choice('abcd')} += 1;")
            self.put(depth, "}")
        elif kind == 13 and not self.grid:
            self.put(depth, f"if (({self.uniform()}) == {self.r.randint(0, 5)}u) {{ out[gid] = a ^ b; return; }}")
        elif kind == 14:
            i = self.fresh("z")
            self.put(depth, f"unsigned {i} = {r.randint(1, 4)};")
            self.put(depth, "do {")
            with self.in_some_blocks():
                self.waiting_turns(depth + 1)
            self.put(depth, f"}} while (t.sync_{r.choice(['or', 'and'])}({self.condition()}) && --{i} > 0u);")
        else:
            self.some_plain(depth)
            if depth == 0:
                self.put(depth, f"if ({self.condition()}) {{ {self.leaving(r.choice(['', 'out[gid] = a + 3u * b; ']) + 'return;')} }}")

    def exchange(self, depth):
        """Each thread writes an element, then reads any: of shared memory, static or dynamic, of several types."""
        r = self.r
        array, type_, back = r.choice([("s", "unsigned", "{}"), ("s", "unsigned", "{}"), ("ds", "unsigned", "{}"),
                                       ("sc", "unsigned char", "{}"), ("sq", "std::uint64_t", "static_cast<unsigned>({} >> 9)"),
                                       ("sg", "double", "bits(static_cast<float>({}))"), ("sm", "short", "static_cast<unsigned>({})")])
        scale = {"sq": " * 77777ull", "sg": " % 4096u"}.get(array, "")
        at = r.choice(["me", "me", "me", "threads - 1u - me"])
        if at != "me":
            self.put(depth, self.barrier())  # its owner may have used it since the last barrier, alone or with its warp
        self.put(depth, f"{array}[{at}] = static_cast<{type_}>(({self.value()}){scale});")
        self.put(depth, self.barrier())
        element = f"{array}[(me * {r.randint(0, 5)}u + {r.randint(0, 3)}u) % threads]"
        self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+='])} {back.format(element)};")
        if r.random() < 0.3:
            element = f"{array}[{r.choice(['0', 'bx % threads', 'u0 % threads', 'threads - 1u'])}]"
            self.put(depth, f"u{r.randint(0, 2)} = ({back.format(element)}) % 6u;")
        self.put(depth, self.barrier())

    def ticket(self, depth):
        """The order in which threads draw their numbers does not show, but each number is there once."""
        r = self.r
        k = self.fresh("v")
        self.put(depth, f"const unsigned {k} = t.atomic_add(drawn, 1u);")
        self.put(depth, r.choice([f"t.atomic_add(sums[{k} % 8u], 3u);", f"if ({k} % 13u == 5u) t.atomic_xor(sums[16u + {k} % 8u], {k});",
                                  f"for (unsigned i = 0; i < {k} % 4u; ++i) t.atomic_add(sums[i], {k});"]))
        self.put(depth, "t.sync();")
        self.put(depth, f"{r.choice('abcd')} += drawn;")
        self.put(depth, "t.sync();")

    def waiting_turns(self, depth):
        may, self.may_return = self.may_return, False
        self.some_waiting(depth)
        self.may_return = may

    def some_waiting(self, depth):
        for _ in range(self.r.randint(1, 2)):
            self.waiting(depth)

    def text(self, name):
        while self.budget > 0:
            self.waiting(0)
            if self.r.random() < 0.5:
                self.plain(0)
        if self.grid and not any("sync_grid" in line for line in self.lines):
            self.far_exchange(0)
        block = ("bx = static_cast<unsigned>(t.block_idx().x)" if self.in_rows else
                 "bx = static_cast<unsigned>(t.block_idx().x + t.grid_dim().x * (t.block_idx().y + t.grid_dim().y * t.block_idx().z))")
        threads = ("me = tx, threads = dx" if self.in_rows and self.r.random() < 0.5 else
                   "me = static_cast<unsigned>(t.rank()), threads = static_cast<unsigned>(t.block_dim().volume())")
        global_index = "static_cast<unsigned>(t.grid<1>())" if self.in_rows and self.r.random() < 0.6 else "bx * threads + me"
        lines = "\n".join(self.lines)
        used = [v for v in VARIABLES if re.search(v[0], lines)]
        variables = "".join(f"  {v[1]}\n" for v in used)
        results = "".join(f" + {v[2]}" for v in used)
        extra = [(array, type_) for array, type_ in ARRAYS if f"{array}[" in lines]
        arrays = "".join("  auto* ds = t.dynamic_shared<unsigned>();\n" if array == "ds" else
                         f'  auto& {array} = t.shared<"{array}", {type_}[1024]>();\n' for array, type_ in extra)
        written = "".join(f"  {array}[me] = static_cast<{type_}>(me * 3u);\n" for array, type_ in extra)
        if "drawn" in lines:
            arrays += '  auto& drawn = t.shared<"drawn", unsigned>();\n'
            written += "  if (me == 0u) drawn = 0;\n"
        if self.grid:
            variables += ("  const unsigned gd = static_cast<unsigned>(t.grid_dim().volume()), all = gd * threads;\n"
                          "  unsigned g0 = n % 3u, g1 = 1;\n")
            results += " + g0 + g1"
        shared = f"""  auto& s = t.shared<"s", unsigned[1024]>();
{arrays}  s[me] = a;
{written}  t.sync();
""" if self.shared else ""
        return f"""SIMT_DEVICE void {name}(simt::thread t, simt::view<const unsigned> x, simt::view<unsigned> out, simt::view<unsigned> sums,
                        unsigned n) {{
  const unsigned tx = static_cast<unsigned>(t.thread_idx().x), ty = static_cast<unsigned>(t.thread_idx().y),
                 tz = static_cast<unsigned>(t.thread_idx().z), dx = static_cast<unsigned>(t.block_dim().x),
                 {block}, {threads}, gid = {global_index}, size = static_cast<unsigned>(x.size()),
                 warp = static_cast<unsigned>(t.warp()), lanes = threads - (me & ~31u) < 32u ? threads - (me & ~31u) : 32u;
  constexpr std::uint32_t kAll = simt::kFullMask;
  unsigned a = x[gid % size], b = me, c = tx ^ ty, d = n, u0 = n % 5u, u1 = bx % 3u, u2 = 2;
  unsigned p[4] = {{a, b, c, d}};
{variables}{shared}{lines}
  out[gid] += a + 3u * b + 5u * c + 7u * d + p[0] + p[1] * 3u + p[2] + p[3] + u0 + u1 + u2{results};
}}
"""


def main():
    seed, count, small, grid = int(sys.argv[1]), int(sys.argv[2]), "small" in sys.argv, "grid" in sys.argv
    print(f"// Made by random_kernels.py, seed {seed}.")
    print('#include "random_kernels.hpp"\n#pragma GCC diagnostic ignored "-Wunused-parameter"')
    print('#pragma GCC diagnostic ignored "-Wunused-variable"\n#pragma GCC diagnostic ignored "-Wunused-but-set-variable"')
    print('#if defined(__clang__)\n#pragma GCC diagnostic ignored "-Wself-assign"\n#endif')
    print("namespace random_kernels {\nnamespace {")
    kernels = [kernel(seed * 1_000_003 + i, small, grid) for i in range(count)]
    for i, k in enumerate(kernels):
        print(k.text(f"kernel_{i}"))
    print("}  // namespace\n")
    print("const std::vector<launcher>& all() {\n  static const std::vector<launcher> list = {")
    for i, k in enumerate(kernels):
        print(f'      {{"kernel_{i}", launch<kernel_{i}>, {"true" if k.in_rows else "false"}, {"true" if k.grid else "false"}}},')
    print("  };\n  return list;\n}\n}  // namespace random_kernels")


if __name__ == "__main__":
    main()
