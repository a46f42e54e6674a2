# SPDX-License-Identifier: Apache-2.0
"""Statements for random_kernels.py in which few threads of a block do something, and wait for the others."""


class few_statements:
    def few_threads(self, depth):
        """Threads at equal distances do something: each for itself, as a tree, or with a neighbour."""
        r = self.r
        kind = r.randint(0, 4)
        if kind <= 1:
            number = r.choice(["2u", "3u", "4u", "8u", "32u", "(u0 % 9u + 1u)", "(u1 % 5u * 2u + 1u)", "(2u << (u0 & 3u))", "(n + 1u)"])
            whose = r.choice([f"me % {number} == {r.choice(['0u', '1u', 'u1'])}", f"(me & ({number} - 1u)) == {r.choice(['0u', '1u', 'u1'])}",
                              f"(me + 1u) % {number} == 0u", f"static_cast<int>(tx) % static_cast<int>({number}) == 0",
                              f"{number} * me < {r.choice(['threads', '30u', 'n'])}", f"(2u * me + 1u) * {number} <= threads"])
            self.put(depth, "t.sync();")
            self.put(depth, f"if ({whose}) s[me] += {self.value()};")
            self.put(depth, "t.sync();")
            if r.random() < 0.5:
                self.put(depth, f"{r.choice('abcd')} ^= s[(me + {r.randint(0, 3)}u) % threads];")
                self.put(depth, "t.sync();")
            return
        i = self.fresh("y")
        if kind == 4:  # sorts a little, by neighbours
            self.put(depth, f"for (unsigned {i} = 0; {i} < {r.randint(1, 5)}u; ++{i}) {{")
            self.put(depth + 1, "t.sync();")
            self.put(depth + 1, f"const unsigned left = 2u * (me / 2u) + ({i} & 1u);")
            self.put(depth + 1, "if (me % 2u == 0u && left + 1u < threads && s[left] > s[left + 1u]) {")
            self.put(depth + 2, "const unsigned moved = s[left];")
            self.put(depth + 2, "s[left] = s[left + 1u], s[left + 1u] = moved;")
            self.put(depth + 1, "}")
        else:
            self.put(depth, f"for (unsigned {i} = 1; {i} < threads; {i} *= {r.choice(['2u', '2u', '4u'])}) {{")
            self.put(depth + 1, "t.sync();")
            if kind == 2:
                self.put(depth + 1, f"if ({r.choice([f'me % (2u * {i}) == 0u', f'(me & (2u * {i} - 1u)) == 0u'])} && me + {i} < threads) s[me] += s[me + {i}];")
            else:
                self.put(depth + 1, f"const unsigned at = 2u * {i} * me;")
                self.put(depth + 1, f"if (at + {i} < threads) s[at] += s[at + {i}];")
        self.put(depth, "}")
        self.put(depth, "t.sync();")
