# SPDX-License-Identifier: Apache-2.0
"""Statements with barriers of the grid for random_kernels.py, at places that all threads of the grid reach alike."""
import contextlib


class grid_statements:
    """What the kernel keeps: grid_alike, whether all blocks come alike to where the next statement goes."""

    def leaving(self, statement):
        """For what makes a thread leave: in a kernel with barriers of the grid, a thread of each block stays."""
        return f"if ({self.stays}) {{ {statement} }}" if self.grid else statement

    @contextlib.contextmanager
    def in_some_blocks(self):
        alike, self.grid_alike = self.grid_alike, False
        yield
        self.grid_alike = alike

    def barrier(self):
        """One that all threads of the block pass."""
        return "t.sync_grid();" if self.grid_alike and self.r.random() < 0.3 else "t.sync();"

    def grid_statement(self, depth):
        r = self.r
        kind = r.randint(0, 10)
        if self.budget <= 0 or depth > 4:
            kind = r.randint(0, 5)
        if kind <= 2:
            self.far_exchange(depth)
        elif kind == 3:
            self.added_up(depth)
        elif kind == 4:
            self.put(depth, f"{r.choice('abcd')} ^= far_neighbour(t, out, gid, all, {self.value()});")
        elif kind == 5:
            self.some_plain(depth)
            self.put(depth, "t.sync_grid();")
        elif kind == 6:
            self.put(depth, f"if (({self.uniform_in_grid()}) {r.choice(['<', '>', '=='])} {self.uniform_in_grid()}) {{")
            self.grid_turns(depth + 1)
            if r.random() < 0.5:
                self.put(depth, "} else {")
                self.grid_turns(depth + 1)
            self.put(depth, "}")
        elif kind <= 8:
            i = self.fresh("r")
            self.put(depth, f"for (unsigned {i} = 0; {i} < ({self.uniform_in_grid()}) % 4u; ++{i}) {{")
            self.grid_turns(depth + 1)
            if r.random() < 0.3:
                self.put(depth + 1, f"if (({self.uniform_in_grid()}) == {i}) {r.choice(['break', 'continue'])};")
            self.put(depth + 1, f"{r.choice('abcd')} ^= {i};")
            self.put(depth, "}")
        elif kind == 9:
            self.until_added_up(depth)
        else:
            self.put(depth, f"if (({self.uniform_in_grid()}) == {r.randint(0, 5)}u) {{ out[gid] = a ^ b; return; }}")

    def grid_turns(self, depth):
        """Statements within control flow that is the same for the grid, of which one waits for the grid."""
        may, self.may_return = self.may_return, False
        self.budget -= 1
        if self.r.random() < 0.5:
            self.waiting(depth)
        self.grid_statement(depth) if self.r.random() < 0.5 else self.far_exchange(depth)
        if self.r.random() < 0.3:
            self.some_plain(depth)
        self.may_return = may

    def far_exchange(self, depth):
        """Each thread writes its element, then reads any of the grid."""
        r = self.r
        self.put(depth, f"out[gid] {r.choice(['=', '=', '+='])} {self.value()};")
        self.put(depth, "t.sync_grid();")
        at = r.choice(["gid + threads", "all - 1u - gid", f"gid * {r.randint(2, 5)}u + {r.randint(0, 70)}u", "gid + g0"])
        self.put(depth, f"{r.choice('abcd')} {r.choice(['=', '+=', '^='])} out[({at}) % all];")
        if r.random() < 0.3:
            self.put(depth, f"g{r.randint(0, 1)} = out[{r.choice(['0', 'all - 1u', '(g1 + threads) % all'])}] % 5u;")
        self.put(depth, "t.sync_grid();")

    def added_up(self, depth):
        """Reads what the atomics of all threads have left."""
        r = self.r
        self.put(depth, "t.sync_grid();")
        self.put(depth, f"{r.choice('abcd')} += sums[({self.value(1)}) % 40u];" if r.random() < 0.5 else
                 f"g{r.randint(0, 1)} = sums[{r.randint(0, 39)}] % 5u;")
        self.put(depth, "t.sync_grid();")

    def until_added_up(self, depth):
        """Rounds that end by what all threads have added up."""
        r = self.r
        i = self.fresh("y")
        counter = r.randint(0, 7)
        self.put(depth, "t.sync_grid();")
        self.put(depth, f"for (unsigned {i} = {r.randint(1, 4)}; {i} > 0u && sums[{counter}] % 7u != {r.randint(0, 6)}u; --{i}) {{")
        self.put(depth + 1, "t.sync_grid();")
        self.put(depth + 1, f"t.atomic_add(sums[{counter}], {self.value(1)});")
        self.grid_turns(depth + 1)
        self.put(depth + 1, "t.sync_grid();")
        self.put(depth, "}")
        self.put(depth, "t.sync_grid();")
