#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_kernels.py SEED COUNT: writes C++ with COUNT random kernels that wait at barriers and have no races, and a test
that runs each of them as loops and on fibers, in blocks of many shapes, and compares what they leave.

What a kernel does is the same for every order of threads: between two barriers a thread writes its own element of a
shared array, or reads anybody's. Control flow around barriers depends on uniform values (parameters, the block's index,
votes, elements of shared memory behind a barrier); other control flow on anything.
"""
import random
import sys


class kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.names = 0
        self.budget = self.r.randint(6, 22)
        self.warps = self.r.random() < 0.5  # operations of warps, too

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def put(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def uniform(self):
        return self.r.choice(["n", "bx", "u0", "u1", "u2", "dx", str(self.r.randint(0, 9)), "(u0 + bx)", "(u1 ^ n)", "(u2 * 3u)"])

    def value(self, depth=0):
        r = self.r
        kind = r.randint(0, 13 if depth < 3 else 6)
        if kind <= 3:
            return r.choice(["a", "b", "c", "d"])
        if kind == 4:
            return r.choice(["me", "tx", "ty", "gid"])
        if kind == 5:
            return self.uniform()
        if kind == 6:
            return f"x[(gid * {r.randint(1, 5)}u + {r.randint(0, 9)}u) % size]"
        if kind == 7:
            return f"p[({self.value(depth + 1)}) & 3u]"
        if kind == 8:
            return f"(({self.value(depth + 1)}) {r.choice(['/', '%'])} (({self.value(depth + 1)}) | 1u))"
        if kind == 9:
            return f"(({self.condition(depth + 1)}) ? ({self.value(depth + 1)}) : ({self.value(depth + 1)}))"
        if kind == 10:
            return f"mix({self.value(depth + 1)}, {self.value(depth + 1)})"
        if kind == 11:
            return f"bits(f * {r.randint(1, 9)}.25f + static_cast<float>(({self.value(depth + 1)}) & 255u))"
        return f"(({self.value(depth + 1)}) {r.choice(['+', '-', '*', '^', '&', '|'])} ({self.value(depth + 1)}))"

    def condition(self, depth=0):
        r = self.r
        kind = r.randint(0, 4 if depth < 2 else 2)
        if kind == 0:
            return f"me {r.choice(['<', '>=', '=='])} {r.choice(['n', 'u0', 'dx / 2u', '7u'])}"
        if kind == 1:
            return f"tx + {r.randint(0, 5)}u {r.choice(['<', '>='])} dx"
        if kind == 2:
            return f"(({self.value(2)}) & {r.choice([1, 3, 4])}u) == 0u"
        return f"({self.condition(depth + 1)}) {r.choice(['&&', '||'])} ({self.condition(depth + 1)})"

    def plain(self, depth):
        """Statements without barriers."""
        r = self.r
        kind = r.randint(0, 14)
        if kind <= 3 or depth > 5:
            self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+=', '^='])} {self.value()};")
        elif kind == 4:
            self.put(depth, f"p[({self.value()}) & 3u] {r.choice(['=', '+='])} {self.value()};")
        elif kind == 5:
            self.put(depth, f"f = f * 0.5f + static_cast<float>(({self.value()}) & 1023u);")
        elif kind == 6:
            self.put(depth, f"if ({self.condition()}) {{")
            self.some_plain(depth + 1)
            if r.random() < 0.5:
                self.put(depth, "} else {")
                self.some_plain(depth + 1)
            self.put(depth, "}")
        elif kind == 7:
            i = self.fresh("i")
            self.put(depth, f"for (unsigned {i} = 0; {i} < ({self.value()}) % {r.randint(2, 7)}u; ++{i}) {{")
            self.some_plain(depth + 1)
            if r.random() < 0.4:
                self.put(depth + 1, f"if ({self.condition()}) {r.choice(['break', 'continue'])};")
            self.put(depth + 1, f"{r.choice('abcd')} += {i};")
            self.put(depth, "}")
        elif kind == 8:
            self.put(depth, f"switch (({self.value()}) % 4u) {{")
            for k in range(3):
                self.put(depth + 1, f"case {k}: {r.choice('abcd')} += {self.value(2)}; {r.choice(['break;', '[[fallthrough]];'])}")
            self.put(depth + 1, f"default: {r.choice('abcd')} ^= {self.value(2)};")
            self.put(depth, "}")
        elif kind == 9:
            self.put(depth, f"t.atomic_add(sums[({self.value()}) % 8u], {self.value()});")
        elif kind == 10:
            i = self.fresh("i")
            self.put(depth, f"for (unsigned {i} = 0; {i} < {r.randint(2, 40)}u; ++{i}) a += {self.value(2)} ^ {i};")
        elif kind == 11:
            self.stride(depth)
        elif kind == 12:
            self.sum(depth)
        else:
            self.put(depth, f"out[gid] {r.choice(['=', '+='])} {self.value()};")

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
                       f"x[static_cast<std::int64_t>({j})]", f"s[me % threads]"])
        self.put(depth, f"{guard}for (unsigned {j} = 0; {j} < {turns}; ++{j}) f += static_cast<float>({at} & 63u) * 0.5f;")

    def some_plain(self, depth):
        for _ in range(self.r.randint(1, 3)):
            self.plain(depth)

    def waiting(self, depth):
        """Statements with barriers, at places that all threads reach alike."""
        r = self.r
        self.budget -= 1
        if self.warps and r.random() < 0.4:
            return self.warp_statement(depth)
        kind = r.randint(0, 12)
        if self.budget <= 0 or depth > 4:
            kind = r.randint(0, 5)
        if kind <= 2:
            self.put(depth, f"s[me] = {self.value()};")
            self.put(depth, "t.sync();")
            self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+='])} s[(me * {r.randint(0, 5)}u + {r.randint(0, 3)}u) % threads];")
            if r.random() < 0.3:
                self.put(depth, f"u{r.randint(0, 2)} = s[{r.choice(['0', 'bx % threads', 'u0 % threads', 'threads - 1u'])}] % 6u;")
            self.put(depth, "t.sync();")
        elif kind == 3:
            self.put(depth, f"u{r.randint(0, 2)} = static_cast<unsigned>(t.sync_count({self.condition()})) % 7u;")
        elif kind == 4:
            self.put(depth, f"if (t.sync_{r.choice(['or', 'and'])}({self.condition()})) {r.choice('abcd')} += {self.value()};")
        elif kind == 5:
            self.some_plain(depth)
            self.put(depth, "t.sync();")
        elif kind == 6:
            self.put(depth, f"if (({self.uniform()}) {r.choice(['<', '>', '=='])} {self.uniform()}) {{")
            self.some_waiting(depth + 1)
            if r.random() < 0.5:
                self.put(depth, "} else {")
                self.some_waiting(depth + 1)
            self.put(depth, "}")
        elif kind in (7, 8):
            i = self.fresh("k")
            self.put(depth, f"for (unsigned {i} = 0; {i} < ({self.uniform()}) % 5u; ++{i}) {{")
            self.some_waiting(depth + 1)
            if r.random() < 0.3:
                self.put(depth + 1, f"if (({self.uniform()}) == {i}) {r.choice(['break', 'continue'])};")
            self.put(depth + 1, f"{r.choice('abcd')} ^= {i};")
            self.put(depth, "}")
        elif kind == 9:
            i = self.fresh("w")
            self.put(depth, f"for (unsigned {i} = threads; {i} > 1; {i} = ({i} + 1) / 2) {{")
            self.put(depth + 1, "t.sync();")
            self.put(depth + 1, f"const unsigned half = ({i} + 1) / 2;")
            self.put(depth + 1, f"if (me + half < {i}) s[me] += s[me + half];")
            self.put(depth, "}")
            self.put(depth, "t.sync();")
        elif kind == 10:
            self.put(depth, f"switch (({self.uniform()}) % 3u) {{")
            for k in range(2):
                self.put(depth + 1, f"case {k}: {{")
                self.some_waiting(depth + 2)
                self.put(depth + 1, "} break;")
            self.put(depth + 1, f"default: {r.choice('abcd')} += 1;")
            self.put(depth, "}")
        elif kind == 11:
            self.put(depth, f"if (({self.uniform()}) == {self.r.randint(0, 5)}u) {{ out[gid] = a ^ b; return; }}")
        else:
            self.some_plain(depth)
            if depth == 0:
                self.put(depth, f"if ({self.condition()}) {{ {r.choice(['', 'out[gid] = a + 3u * b; '])}return; }}")

    def warp_operation(self):
        """A number that the lanes of a warp make together."""
        r = self.r
        v = self.value(1)
        lane = r.choice(["3", "t.lane() ^ 5", "static_cast<int>(me % 7u)", "static_cast<int>(u0 & 31u)", f"static_cast<int>(({self.value(2)}) & 31u)"])
        return r.choice([
            f"t.shuffle(kAll, {v}, {lane})",
            f"t.shuffle(kAll, {v}, {lane}, 8)",
            f"t.shuffle_xor(kAll, {v}, {r.randint(1, 31)})",
            f"t.shuffle_down(kAll, {v}, {r.choice(['1', '4', '16', 'u0'])}, {r.choice([32, 32, 16, 4])})",
            f"t.shuffle_up(kAll, {v}, {r.choice(['1', '2', 'u1'])})",
            f"static_cast<unsigned>(t.shuffle_xor(kAll, static_cast<std::uint64_t>({v}) << 7, 1) >> 7)",
            f"bits(t.shuffle_down(kAll, f, 2))",
            f"t.ballot(kAll, {self.condition()})",
            f"(t.any(kAll, {self.condition()}) ? 5u : 9u)",
            f"(t.all(kAll, {self.condition()}) ? 4u : 1u)",
            f"t.match_any(kAll, ({v}) % 3u)",
            f"t.match_all(kAll, ({v}) % 2u)",
            f"t.reduce_add(kAll, {v})",
            f"static_cast<unsigned>(t.reduce_min(kAll, static_cast<int>({v})))",
            f"t.reduce_xor(kAll, {v})",
            f"bits(t.reduce_add(kAll, static_cast<float>(({v}) & 255u)))",
        ])

    def warp_statement(self, depth):
        """Where all lanes of a warp come alike: operations of the warp, under conditions that are the same for it."""
        r = self.r
        kind = r.randint(0, 8 if depth <= 3 else 3)
        if kind <= 2:
            self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+=', '^='])} {self.warp_operation()};")
        elif kind == 3:
            self.put(depth, f"s[me] = {self.value()};")
            self.put(depth, "t.sync_warp();")
            self.put(depth, f"{r.choice('abcd')} += s[(me & ~31u) + (me + {r.randint(1, 9)}u) % lanes];")
            self.put(depth, "t.sync_warp();")
        elif kind <= 5:
            condition = r.choice(["warp == 0", "warp % 2u == 1", "me < 64", "tx < 32", "warp > u0", "(warp ^ bx) % 3u == 1", "t.any(kAll, a % 9u == 2)"])
            self.put(depth, f"if ({condition}) {{")
            self.warp_body(depth + 1)
            if r.random() < 0.5:
                self.put(depth, "} else {")
                self.warp_body(depth + 1)
            self.put(depth, "}")
        elif kind == 6:
            i = self.fresh("q")
            self.put(depth, f"for (unsigned {i} = {r.choice(['warp', '0', 'u0'])}; {i} < {r.choice(['5u', 'warp + 2u', 'n % 6u'])}; {i} += {r.choice(['1', '2', 'warp + 1u'])}) {{")
            self.warp_body(depth + 1)
            if r.random() < 0.3:
                self.put(depth + 1, f"if (t.any(kAll, {self.condition(1)})) {r.choice(['break', 'continue'])};")
            self.put(depth + 1, f"{r.choice('abcd')} ^= {i};")
            self.put(depth, "}")
        elif kind == 7:
            i = self.fresh("e")
            self.put(depth, f"for (unsigned {i} = 16; {i} > 0; {i} /= 2) b += t.shuffle_down(kAll, b, {i});")
        else:
            self.some_plain(depth)
            self.put(depth, f"c ^= {self.warp_operation()};")

    def warp_body(self, depth):
        for _ in range(self.r.randint(1, 2)):
            self.warp_statement(depth) if self.r.random() < 0.7 else self.plain(depth)

    def some_waiting(self, depth):
        for _ in range(self.r.randint(1, 2)):
            self.waiting(depth)

    def text(self, name):
        while self.budget > 0:
            self.waiting(0)
            if self.r.random() < 0.5:
                self.plain(0)
        head = f"""SIMT_DEVICE void {name}(simt::thread t, simt::view<const unsigned> x, simt::view<unsigned> out, simt::view<unsigned> sums,
                        unsigned n) {{
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = static_cast<unsigned>(t.rank()), tx = static_cast<unsigned>(t.thread_idx().x),
                 ty = static_cast<unsigned>(t.thread_idx().y), bx = static_cast<unsigned>(t.block_idx().x),
                 dx = static_cast<unsigned>(t.block_dim().x), threads = static_cast<unsigned>(t.block_dim().volume()),
                 gid = bx * threads + me, size = static_cast<unsigned>(x.size()), warp = static_cast<unsigned>(t.warp()),
                 lanes = threads - (me & ~31u) < 32u ? threads - (me & ~31u) : 32u;
  constexpr std::uint32_t kAll = simt::kFullMask;
  (void)warp, (void)lanes, (void)kAll;
  unsigned a = x[gid % size], b = me, c = tx ^ ty, d = n, u0 = n % 5u, u1 = bx % 3u, u2 = 2;
  unsigned p[4] = {{a, b, c, d}};
  float f = static_cast<float>(a & 15u);
  s[me] = a;
  t.sync();
"""
        tail = """  out[gid] += a + 3u * b + 5u * c + 7u * d + p[0] + p[1] * 3u + p[2] + p[3] + bits(f) + u0 + u1 + u2;
}
"""
        return head + "\n".join(self.lines) + "\n" + tail


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print("// Made by random_kernels.py, seed %d.\n#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n#include \"random_kernels.hpp\"\nnamespace random_kernels {\nnamespace {" % seed)
    for i in range(count):
        print(kernel(seed * 1_000_003 + i).text(f"kernel_{i}"))
    print("}  // namespace\n")
    print("const std::vector<launcher>& all() {\n  static const std::vector<launcher> list = {")
    for i in range(count):
        print(f'      {{"kernel_{i}", launch<kernel_{i}>}},')
    print("  };\n  return list;\n}\n}  // namespace random_kernels")


if __name__ == "__main__":
    main()
