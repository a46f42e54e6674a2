# SPDX-License-Identifier: Apache-2.0
"""Statements with operations of warps for random_kernels.py, at places that all lanes of a warp reach alike."""


class warp_statements:
    def warp_statement(self, depth):
        """Where all lanes of a warp come alike: operations of the warp, under conditions that are the same for it."""
        r = self.r
        kind = r.randint(0, 10 if depth <= 3 else 3)
        if kind <= 2:
            self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+=', '^='])} {self.warp_operation()};")
        elif kind == 3:
            self.put(depth, f"s[me] = {self.value()};")
            self.put(depth, "t.sync_warp();")
            self.put(depth, f"{r.choice('abcd')} += s[(me & ~31u) + (me + {r.randint(1, 9)}u) % lanes];")
            self.put(depth, "t.sync_warp();")
        elif kind <= 5:
            condition = r.choice(["warp == 0", "warp % 2u == 1", "me < 64", "tx < 32", "warp > u0", "static_cast<int>(me) / 32 == 0", "t.shuffle(kAll, a, 3) % 3u == 1u", "(warp ^ bx) % 3u == 1", "t.any(kAll, a % 9u == 2)"])
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
        elif kind == 8:
            self.some_plain(depth)
            self.put(depth, f"c ^= {self.warp_operation()};")
        else:
            self.row_of_warp(depth)

    def row_of_warp(self, depth):
        """Lanes take neighbouring elements of a row that is the warp's."""
        r = self.r
        k = self.fresh("k")
        type_ = r.choice(["int", "int", "std::int64_t", "unsigned"])
        begin = r.choice(["0u", "u0 * 7u", "warp * 40u", "x[warp] % 200u"])
        end = f"{begin} + {r.choice(['70u', 'n % 101u', 'warp * 13u % 97u + u0', 'x[warp + 1u] % 90u'])}"
        lane = r.choice(["(me & 31u)", "me % 32u", "tx % 32u"])
        goes_on = r.choice(["<", "<", "<="])
        self.put(depth, f"for (auto {k} = static_cast<{type_}>({begin} + {lane}); {k} {goes_on} static_cast<{type_}>({end}); {k} += 32) {{")
        at = f"x[static_cast<std::int64_t>({k})]"
        for _ in range(r.randint(1, 2)):
            self.put(depth + 1, r.choice([
                f"{r.choice('abcd')} {r.choice(['+=', '^=', '='])} {at};",
                f"a = b, b = c, c = {at};",
                f"d = d * 3u + {at};",
                f"if ({at} & 1u) b += static_cast<unsigned>({k});",
                f"p[{at} & 3u] += {at};",
            ]))
        self.put(depth, "}")

    def warp_body(self, depth):
        may, self.may_return = self.may_return, False
        for _ in range(self.r.randint(1, 2)):
            self.warp_statement(depth) if self.r.random() < 0.7 else self.plain(depth)
        self.may_return = may
