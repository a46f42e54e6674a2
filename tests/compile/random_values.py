# SPDX-License-Identifier: Apache-2.0
"""Random expressions for random_kernels.py: numbers, conditions, and what is the same for a whole block. None of them has
undefined behaviour: unsigned numbers wrap, shifts stay below the width, floats stay where they can become integers."""


class expressions:
    """r: the source of chance. shared: whether the kernel has shared memory. grid: barriers of the grid."""

    def uniform_in_grid(self):
        return self.r.choice(["n", "dx", "gd", "g0", "g1", str(self.r.randint(0, 9)), "(g0 + n)", "(g1 ^ gd)"])

    def uniform(self):
        if self.grid and self.r.random() < 0.3:
            return self.uniform_in_grid()
        return self.r.choice(["n", "bx", "u0", "u1", "u2", "dx", str(self.r.randint(0, 9)), "(u0 + bx)", "(u1 ^ n)", "(u2 * 3u)"])

    def value(self, depth=0):
        """An unsigned number, as a rule different in each thread."""
        r = self.r
        kind = r.randint(0, 18 if depth < 3 else 6)
        if kind <= 3:
            return r.choice(["a", "b", "c", "d"])
        if kind == 4:
            return r.choice(["me", "tx", "ty", "tz", "gid"])
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
            return r.choice([f"mix({self.value(depth + 1)}, {self.value(depth + 1)})", f"first_power(p, {self.value(depth + 1)})",
                             f"twice([&](unsigned z) {{ return z * 5u + ({self.value(2)}); }}, {self.value(depth + 1)})"])
        if kind == 11:
            return f"bits(f * {r.randint(1, 9)}.25f + static_cast<float>(({self.value(depth + 1)}) & 255u))"
        if kind == 12:
            return self.other_type(depth)
        if kind == 13:
            v = self.value(depth + 1)
            narrow = r.choice(["std::int8_t", "unsigned char", "short", "std::uint16_t", "int"])
            return r.choice([
                f"static_cast<unsigned>(static_cast<{narrow}>({v}))",
                f"static_cast<unsigned>(static_cast<{narrow}>({v}) / {r.choice(['3', '7', '-5', '16'])})",
                f"static_cast<unsigned>(static_cast<int>({v}) >> {r.randint(1, 30)})",
                f"(({v}) {r.choice(['<<', '>>'])} (({self.value(depth + 1)}) & 31u))",
                f"static_cast<unsigned>((static_cast<std::uint64_t>({v}) * ({self.value(depth + 1)})) >> {r.randint(1, 40)})",
            ])
        return f"(({self.value(depth + 1)}) {r.choice(['+', '-', '*', '^', '&', '|'])} ({self.value(depth + 1)}))"

    def other_type(self, depth):
        r = self.r
        return r.choice([
            f"static_cast<unsigned>(q >> {r.randint(0, 40)})", "bits(static_cast<float>(g))", "bits(static_cast<float>(h))",
            "static_cast<unsigned>(k8)", "static_cast<unsigned>(k16)", f"static_cast<unsigned>(pc[({self.value(depth + 1)}) & 7u])",
            f"static_cast<unsigned>(pq[({self.value(depth + 1)}) & 1u] >> {r.randint(0, 33)})"])

    def condition(self, depth=0):
        r = self.r
        kind = r.randint(0, 5 if depth < 2 else 3)
        if kind == 0:
            return f"me {r.choice(['<', '>=', '=='])} {r.choice(['n', 'u0', 'dx / 2u', '7u'])}"
        if kind == 1:
            return f"tx + {r.randint(0, 5)}u {r.choice(['<', '>='])} dx"
        if kind == 2:
            return f"(({self.value(2)}) & {r.choice([1, 3, 4])}u) == 0u"
        if kind == 3:
            return r.choice(["gid % 3u != 1u", "k8 < 0", "q > (1ull << 40)", "static_cast<int>(a) < static_cast<int>(b)",
                             "g > static_cast<double>(n)", "gid + 5u < n * 40u", "ty == 0u"])
        return f"({self.condition(depth + 1)}) {r.choice(['&&', '||'])} ({self.condition(depth + 1)})"

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
            "bits(t.shuffle_down(kAll, f, 2))",
            "bits(static_cast<float>(t.shuffle_xor(kAll, g, 4)))",
            f"t.ballot(kAll, {self.condition()})",
            f"(t.any(kAll, {self.condition()}) ? 5u : 9u)",
            f"(t.all(kAll, {self.condition()}) ? 4u : 1u)",
            f"t.match_any(kAll, ({v}) % 3u)",
            f"t.match_all(kAll, ({v}) % 2u)",
            f"t.reduce_add(kAll, {v})",
            f"static_cast<unsigned>(t.reduce_min(kAll, static_cast<int>({v})))",
            f"t.reduce_xor(kAll, {v})",
            f"bits(t.reduce_add(kAll, static_cast<float>(({v}) & 255u)))",
            f"t.shuffle_xor(t.match_any(kAll, ({v}) % 3u), {v}, {r.randint(1, 31)})",
            f"t.reduce_add(t.match_any(kAll, ({v}) % 3u), {self.value(2)})",
            f"t.ballot((me & 16u) != 0u ? 0xffff0000u : 0xffffu, {self.condition()})",
            f"(t.all(t.match_any(kAll, ({v}) % 5u), {self.condition()}) ? 6u : 3u)",
        ])
