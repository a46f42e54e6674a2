#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_kernels.py SEED [N]: CUDA source with N (40) random kernels of which a GPU and `simrun profile` count the same.

Each kernel reads, writes and updates global and shared memory at random strides, offsets and table entries, in accesses
of 1 to 16 bytes, under random conditions and in loops that are as long for all threads or differ between them. Nothing
in it gives nvcc a reason to do other than what the source says: each access has an array of its own, addresses in a loop
depend on its turn, loops are not unrolled, an update never has one address for all lanes and touches at most 16 sectors.
compare_record.py holds them against record_random.json; for others, make a record of other seeds.
What is done depends on indices and constant tables only, so every run counts the same.
"""
import random
import sys

TYPES = {"unsigned char": 1, "unsigned short": 2, "unsigned": 4, "unsigned long long": 8, "uint2": 8, "uint4": 16}
ELEMENTS = 1 << 14  # of each array; a power of two
SHARED = 1 << 10    # elements of 4 bytes


class kernel:
    def __init__(self, rng, number):
        self.rng, self.name = rng, f"random_{number}"
        self.parameters, self.lines, self.shared, self.depth, self.turn = [], [], [], 1, None
        self.block = rng.choice([(32, 1), (64, 1), (96, 1), (128, 1), (100, 1), (256, 1), (16, 16), (32, 8), (8, 8), (20, 5)])
        self.grid = rng.randrange(1, 5)
        self.loops = 0

    def say(self, text):
        self.lines.append("  " * self.depth + text)

    def array(self, type_, role):
        name = f"{role}{len(self.parameters)}"
        self.parameters.append((type_, name))
        return name

    def index(self, elements, spread=False):
        """An index below `elements`. spread: lanes differ (no update has one address for all)."""
        rng = self.rng
        turn = f" + {self.turn} * {rng.choice([1, 7, 32, 131])}" if self.turn else ""
        base = rng.choice(["t"] if spread else ["i", "i", "i", "t", "t", "threadIdx.x", "blockIdx.x", "(i / 2)", "(t / 32)"])
        form = rng.randrange(4)
        if form == 0:
            text = f"{base} * {rng.choice([1, 1, 1, 2, 3, 4, 5, 8, 16, 31, 32, 33])} + {rng.randrange(40)}{turn}"
        elif form == 1:
            text = f"{rng.randrange(200, 4000)} - {base} * {rng.choice([1, 2, 3])}{turn}"
        elif form == 2:
            text = f"({base} ^ {rng.choice([1, 3, 5, 16, 31])}) * {rng.choice([1, 2, 9])}{turn}"
        else:
            table = self.array("const unsigned*", "table")
            text = f"{table}[({base}{turn}) & {ELEMENTS - 1}] * {rng.choice([1, 2])} + t"
        return f"({text}) & {elements - 1}u"

    def value(self, type_):
        return {"uint2": "make_uint2(sum, i)", "uint4": "make_uint4(sum, i, t, 7u)"}.get(type_, f"static_cast<{type_}>(sum)")

    def take(self, type_, text):
        if type_.startswith("uint"):
            name = f"v{len(self.lines)}"
            self.say(f"const {type_} {name} = {text};")
            self.say("sum += " + " ^ ".join(f"{name}.{m}" for m in ("xy" if type_ == "uint2" else "xyzw")) + ";")
        elif type_ == "unsigned long long":  # both halves, or nvcc loads one
            name = f"v{len(self.lines)}"
            self.say(f"const {type_} {name} = {text};")
            self.say(f"sum += static_cast<unsigned>({name} ^ {name} >> 32);")
        else:
            self.say(f"sum = sum * 3u + static_cast<unsigned>({text});")

    def access(self):
        rng = self.rng
        type_ = rng.choice(list(TYPES))
        what = rng.choice(["load"] * 4 + ["store"] * 3 + ["reduction", "atomic", "shared"])
        if what == "load":
            self.take(type_, f"{self.array('const ' + type_ + '*', 'x')}[{self.index(ELEMENTS)}]")
        elif what == "store":
            self.say(f"{self.array(type_ + '*', 'y')}[{self.index(ELEMENTS)}] = {self.value(type_)};")
        elif what == "reduction":
            self.say(f"atomicAdd(&{self.array('unsigned*', 'z')}[{self.index(128, True)}], sum | 1u);")
        elif what == "atomic":
            self.take("unsigned", f"atomicAdd(&{self.array('unsigned*', 'z')}[{self.index(128, True)}], sum | 1u)")
        else:
            self.take("unsigned", f"atomicAdd(&{self.array_shared()}[{self.index(128, True)}], sum | 2u)")

    def array_shared(self):
        name = f"s{len(self.shared)}"
        self.shared.append(name)
        return name

    def exchange(self):
        """All threads write shared memory, wait, and read it at other places."""
        rng = self.rng
        type_ = rng.choice(["unsigned char", "unsigned short", "unsigned", "unsigned", "unsigned long long", "uint2", "uint4"])
        name, elements = f"e{len(self.lines)}", SHARED * 4 // TYPES[type_] // 2
        self.say(f"__shared__ {type_} {name}[{elements}];")
        self.say(f"{name}[{self.index(elements)}] = {self.value(type_)};")
        self.say("__syncthreads();")
        self.take(type_, f"{name}[{self.index(elements)}]")

    def condition(self):
        rng = self.rng
        table = rng.random() < 0.3
        turn = f" + {self.turn}" if self.turn else ""
        text = f"{self.array('const unsigned*', 'table')}[(i{turn}) & {ELEMENTS - 1}u]" if table else rng.choice(["i", "t", "threadIdx.x"])
        return rng.choice([f"{text} % {rng.choice([2, 3, 5, 33])} == 1u", f"({text} & {rng.choice([1, 4, 16, 32])}u) != 0u",
                           f"{text} < {rng.choice([7, 31, 40, 90])}u"])

    def statements(self, count, nest):
        for _ in range(count):
            way = self.rng.random()
            if nest > 0 and way < 0.2:
                self.say(f"if ({self.condition()}) {{")
                self.inside(nest)
                if self.rng.random() < 0.5:
                    self.say("} else {")
                    self.inside(nest)
                self.say("}")
            elif nest > 0 and self.turn is None and way < 0.35:
                self.loops += 1
                self.turn = f"k{self.loops}"
                length = self.rng.choice(["3u", "5u", "t % 4u", "(i & 7u) + 1u", "(t / 32u) + 1u"])
                self.say("#pragma unroll 1")
                self.say(f"for (unsigned {self.turn} = 0; {self.turn} < {length}; ++{self.turn}) {{")
                self.inside(nest)
                self.say("}")
                self.turn = None
            else:
                self.access()

    def inside(self, nest):
        self.depth += 1
        self.statements(self.rng.randrange(1, 4), nest - 1)
        self.depth -= 1

    def text(self):
        for _ in range(self.rng.randrange(1, 4)):
            self.statements(self.rng.randrange(1, 4), 2)
            if self.rng.random() < 0.6:
                self.exchange()
        head = [f"  __shared__ unsigned {s}[128];" for s in self.shared]
        zero = [f"  for (unsigned k = t; k < 128; k += blockDim.x * blockDim.y) {s}[k] = 0;" for s in self.shared]
        if zero:
            zero = ["#pragma unroll 1\n" + z for z in zero] + ["  __syncthreads();"]
        types = ", ".join(f"{type_} {name}" for type_, name in self.parameters)
        start = ["  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;",
                 "  const unsigned i = blockIdx.x * blockDim.x * blockDim.y + t;", "  unsigned sum = i * 5u + 1u;"]
        return "\n".join([f"__global__ void {self.name}({types}{', ' if types else ''}unsigned* out) {{", *head, *start, *zero,
                          *self.lines, "  out[i] = sum;", "}"])

    def call(self):
        made = []
        for type_, _ in self.parameters:
            plain = type_.replace("const ", "").rstrip("*").strip()
            made.append(f"fresh<{plain}>({ELEMENTS}, {'true' if type_.startswith('const') else 'false'})")
        x, y = self.block
        return f"  RUN({self.name}, {self.grid}, dim3({x}, {y}), {', '.join([*made, 'out'])});"


def source(seed, count=40):
    rng = random.Random(seed)
    kernels = [kernel(rng, n) for n in range(count)]
    bodies = [k.text() for k in kernels]
    return (f"// SPDX-License-Identifier: Apache-2.0\n// Made by random_kernels.py {seed} {count}.\n"
            '#include "check.hpp"\n\n'
            "// Bytes that depend on their place, or zeros. Never freed: the program ends with its kernels.\n"
            "template <class T>\nT* fresh(int n, bool filled_with_bytes) {\n"
            "  if (!filled_with_bytes) return zeroed<T>(n);\n"
            "  return reinterpret_cast<T*>(filled<unsigned>(n * sizeof(T) / 4));\n}\n\n"
            + "\n".join(bodies) + "\n\nint main() {\n  unsigned* out = zeroed<unsigned>(1 << 14);\n"
            + "\n".join(k.call() for k in kernels) + "\n  return 0;\n}\n")


if __name__ == "__main__":
    print(source(*map(int, sys.argv[1:])), end="")
