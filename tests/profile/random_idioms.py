#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_idioms.py SEED [N]: CUDA source with N (40) random kernels made of what people write, for a GPU and `simrun profile`.

random_forms.py mixes single accesses with the forms of a language; here a kernel is one to four idioms with random sizes,
types and strides: vectors and structures (with padding, of 12 and 24 bytes) whole and by member, bytes and shorts, tiles
with and without padding, several arrays in dynamic shared memory, __ldg, const and __restrict__, every atomic function,
grid-stride loops, guards, rows of a sparse matrix, stencils with a halo, reductions and scans of blocks and warps,
histograms, warp-aggregated updates, products of matrices, and one statement in four of random_forms.py's. Blocks have one
to three dimensions, many of them no multiple of 32.

As there, what is done depends on indices and constant tables only, an update has not one address for all lanes where nvcc
would sum up, and loops that lanes leave at different times are not unrolled. Records name these programs "idioms: SEED".
"""
import sys

import random_forms
from random_forms import SIZES

ELEMENTS = random_forms.ELEMENTS
# More types: size, members, declarations (vectors of CUDA need none).
MORE = {"int2": (8, "xy", ""), "int4": (16, "xyzw", ""), "ushort2": (4, "xy", ""), "char4": (4, "xyzw", ""), "uchar2": (2, "xy", ""),
        "short4": (8, "xyzw", ""), "ulonglong2": (16, "xy", ""),
        "gapped": (8, ["tag", "n"], "signed char tag; int n;"), "tailed": (16, ["d", "n"], "double d; int n;"),
        "odd": (12, ["s", "c", "n", "f"], "short s; signed char c; int n; float f;"),
        "body": (24, ["x", "y", "z", "m", "id", "kind"], "float x, y, z, m; int id; unsigned kind;"),
        "event": (24, ["when", "what", "who", "f"], "double when; int what; unsigned who; float f;"),
        "three_longs": (24, ["a", "b", "c"], "unsigned long long a, b, c;"), "point": (12, ["x", "y", "z"], "float x, y, z;"),
        "color": (3, ["r", "g", "b"], "unsigned char r, g, b;"), "complex": (8, ["re", "im"], "float re, im;")}
VECTORS = {"float2": "xy", "float4": "xyzw", "uchar4": "xyzw", "double2": "xy", "short2": "xy", "float3": "xyz",
           **{t: m for t, (_, m, _) in MORE.items() if isinstance(m, str)}}
STRUCTURES = {t: m for t, (_, m, _) in MORE.items() if not isinstance(m, str)}
PLAIN = {"signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "float": 4, "double": 8,
         "unsigned long long": 8, "__half": 2, "__half2": 4}
ALL = {**SIZES, **PLAIN, **{t: size for t, (size, _, _) in MORE.items()}}
SOME_BLOCKS = [(32, 1, 1), (64, 1, 1), (128, 1, 1), (256, 1, 1), (96, 1, 1), (48, 1, 1), (100, 1, 1), (16, 16, 1), (32, 8, 1), (16, 8, 1),
               (33, 2, 1), (24, 4, 1), (7, 9, 1), (8, 8, 4), (4, 4, 4), (10, 3, 2), (40, 1, 3), (1, 32, 1), (2, 64, 1)]


def more_preamble():
    lines = ["__device__ unsigned folded(short v) { return v; }", "template <> __device__ short made(unsigned v) { return v; }"]
    for name, (_, members, fields) in MORE.items():
        if not isinstance(members, str):
            lines.append(f"struct {name} {{\n  {fields}\n}};")
        folds = " ^ ".join(f"folded(v.{m}) * {2 * n + 3}u" for n, m in enumerate(members))
        lines.append(f"__device__ unsigned folded({name} v) {{ return {folds}; }}")
        lines.append(f"template <> __device__ {name} made(unsigned v) {{\n  {name} w;\n" + "".join(
            f"  w.{m} = made<decltype(w.{m})>(v * {2 * n + 1}u);\n" for n, m in enumerate(members)) + "  return w;\n}")
    return random_forms.PREAMBLE + "\n".join(lines) + "\n"


class idiom(random_forms.form):
    def __init__(self, rng, number):
        super().__init__(rng, number)
        self.name, self.block, self.budget = f"idiom_{number}", rng.choice(SOME_BLOCKS), 6
        self.threads = self.block[0] * self.block[1] * self.block[2]

    def array(self, type_, role):
        """Pointers of some kernels have __restrict__. A name of its own for each."""
        name = f"{role}{len(self.parameters)}"
        self.parameters.append((type_, ("__restrict__ " if self.rng.random() < 0.4 else "") + name))
        return name

    def at(self, text):
        return f"[({text}) & {ELEMENTS - 1}u]"

    def turned(self):
        return f" + {self.turn} * 64u" if self.turn else ""

    def linear(self):
        """An index that neighbours have next to each other, or nearly."""
        base = self.rng.choice(["i", "i", "i", "i + 1u", "i * 2u", "i + 32u", "t", "i ^ 1u", "i / 2u", "i * 33u"])
        return base + self.turned()

    # ---- single statements
    def vector(self):
        rng = self.rng
        type_, members = rng.choice(list(VECTORS.items()))
        x, y = self.array(f"const {type_}*", "x") + self.at(self.linear()), self.array(f"{type_}*", "y") + self.at(self.linear())
        v, way = self.new("v"), rng.randrange(7)
        if way == 0:
            self.say(f"{y} = {x};")
        elif way == 1:
            self.say(f"const {type_} {v} = {x};")
            for m in members:
                self.say(f"sum = sum * 3u + folded({v}.{m});")
        elif way == 2:
            for m in members:
                self.say(f"{y}.{m} = made<decltype({y}.{m})>(sum * {3 + ord(m)}u);")
        elif way == 3:
            self.say(f"sum += " + " ^ ".join(f"folded({x}.{m})" for m in members) + ";")
        elif way == 4:
            self.say(f"{type_} {v} = {x};")
            for m in rng.sample(members, rng.randrange(1, len(members) + 1)):
                self.say(f"{v}.{m} = made<decltype({v}.{m})>(sum ^ folded({v}.{m}));")
            self.say(f"{y} = {v};")
        elif way == 5:
            m = rng.choice(members)
            self.say(f"{y}.{m} = {x}.{m};")
        else:
            self.say(f"{y} = made<{type_}>(sum + folded(__ldg(&{x})));" if type_ not in ("float3",) else f"{y} = {x};")

    def structure(self):
        rng = self.rng
        type_, members = rng.choice(list(STRUCTURES.items()))
        x, y = self.array(f"const {type_}*", "x") + self.at(self.linear()), self.array(f"{type_}*", "y") + self.at(self.linear())
        v, way = self.new("v"), rng.randrange(7)
        if way == 0:
            self.say(f"{y} = {x};")
        elif way == 1:
            self.say(f"sum = sum * 3u + folded({x});")
        elif way == 2:
            self.say(f"{y} = made<{type_}>(sum);")
        elif way == 3:
            for m in rng.sample(members, 2):
                self.say(f"sum = sum * 3u + folded({x}.{m});")
        elif way == 4:
            m = rng.choice(members)
            self.say(f"{y}.{m} = made<decltype({y}.{m})>(sum);")
        elif way == 5:
            m = rng.choice(members)
            self.say(f"{type_} {v} = {x};")
            self.say(f"{v}.{m} = made<decltype({v}.{m})>(sum);")
            self.say(f"{y} = {v};")
        else:
            for m in members:
                self.say(f"{y}.{m} = {x}.{m};")

    def plain(self):
        rng = self.rng
        type_ = rng.choice(list(PLAIN))
        x, way = self.array(f"const {type_}*", "x"), rng.randrange(5)
        if way == 0 and type_ != "__half2":
            self.say(f"sum = sum * 3u + folded(__ldg(&{x}{self.at(self.linear())}));")
        elif way == 1:
            self.use(type_, f"{x}{self.at(self.linear())}")
        elif way == 2:
            self.say(f"{self.array(type_ + '*', 'y')}{self.at(self.linear())} = {x}{self.at(self.linear())};")
        elif way == 3:
            base = self.linear()
            self.say(f"sum = sum * 3u + (folded({x}{self.at(base + ' + 5u')}) ^ folded({x}{self.at(base + ' + 6u')}) * 3u);")
        else:
            self.say(f"sum += {self.condition_of_thread()} ? folded({x}{self.at(self.linear())}) : 7u;")

    def condition_of_thread(self):
        return self.rng.choice(["(t & 1u) != 0u", "i % 3u == 0u", "threadIdx.x < 5u", "(t & 16u) == 0u"])

    def more_updates(self):
        rng, way = self.rng, self.rng.randrange(6)
        z = lambda type_: f"{self.array(type_ + '*', 'z')}[(t * {rng.choice([1, 1, 2, 3, 5])}u{self.turned()}) & 127u]"
        if way == 0:
            scope = rng.choice(["_block", "_system"])
            call = f"atomic{rng.choice(['Add', 'Max', 'Or', 'Exch'])}{scope}(&{z('unsigned')}, sum | 1u)"
            self.say(f"{call};" if rng.random() < 0.5 else f"sum += {call};")
        elif way == 1:
            type_, value = rng.choice([("__half2", "made<__half2>(sum & 0x3c00u)"), ("float2", "make_float2(1.5f, real(sum))"),
                                       ("float4", "make_float4(1.5f, real(sum), 2.f, 1.f)")])
            self.say(f"atomicAdd(&{z(type_)}, {value});")
        elif way == 2:
            self.say(f"atomicAdd(&{z('float')}, real(sum));")
        elif way == 3:
            self.say(f"sum += folded(atomicAdd(&{z('unsigned long long')}, made<unsigned long long>(sum | 2u)));")
        elif way == 4:
            c = self.new("c")
            self.say(f"const unsigned {c} = atomicCAS(&{z('unsigned')}, 0u, sum | 1u);")
            self.say(f"if ({c} == 0u) sum += 9u;")
        else:
            self.update()

    # ---- loops
    def grid_stride(self):
        rng, g = self.rng, self.new("g")
        total = self.threads * self.grid
        ragged = rng.random() < 0.5 or total % 32 != 0
        n = min(total * rng.randrange(1, 4) + (rng.randrange(total) if ragged else 0), ELEMENTS)
        type_ = rng.choice(["float", "float", "int", "float4", "unsigned char", "double", "body"])
        x, y = self.array(f"const {type_}*", "x"), self.array(f"{type_}*", "y")
        if ragged:
            self.say("#pragma unroll 1")
        self.say(f"for (unsigned {g} = i; {g} < {n}u; {g} += gridDim.x * blockDim.x * blockDim.y * blockDim.z)")
        if rng.random() < 0.5:
            self.say(f"  {y}[{g}] = {x}[{g}];")
        else:
            self.say(f"  {y}[{g}] = made<{type_}>(folded({x}[{g}]) + {g});")

    def sparse_row(self):
        """A row of a sparse matrix: its length and columns from tables."""
        first, column, x = (self.array("const unsigned*", n) for n in ("starts", "column", "x"))
        k, rng = self.new("k"), self.rng
        self.say("#pragma unroll 1")
        self.say(f"for (unsigned {k} = 0; {k} < ({first}{self.at('i')} & {rng.choice([3, 7])}u) + {rng.randrange(2)}u; ++{k})"
                 if rng.random() < 0.5 else
                 f"for (unsigned {k} = 0, e = {first}{self.at('i')} & 7u; {k} < e; ++{k})")
        of_table = column + self.at(f"i * 8u + {k}")
        self.say(f"  sum += {x}{self.at(f'{of_table} * {rng.choice([1, 3])}u')};")

    def divergent(self):
        """Loops without memory inside, of unequal length, then an access by all."""
        n, s = self.new("n"), self.new("s")
        self.say(f"unsigned {n} = t & 15u, {s} = 0;")
        self.say(self.rng.choice([f"while ({n} != 0u) {{ {n} &= {n} - 1u; ++{s}; }}",
                                  f"while ({n} > 1u && {s} < 20u) {{ {n} = {n} & 1u ? 3u * {n} + 1u : {n} / 2u; ++{s}; }}"]))
        self.say(f"sum += {self.array('const unsigned*', 'x')}{self.at(f'i + {s}')};")

    def product(self):
        rng, k, acc = self.rng, self.new("k"), self.new("acc")
        type_ = rng.choice(["float", "float", "double", "int"])
        a, b, y = (self.array(f"const {type_}*", "a"), self.array(f"const {type_}*", "b"), self.array(f"{type_}*", "y"))
        width = rng.choice([16, 24, 64])
        row, column = rng.choice([("t / 16u", "t % 16u"), ("blockIdx.x", "t"), ("threadIdx.y", "threadIdx.x")])
        self.say(f"{type_} {acc} = 0;")
        if rng.random() < 0.5:
            self.say("#pragma unroll 1")
        self.say(f"for (int {k} = 0; {k} < {rng.choice([8, 12, 16])}; ++{k}) {acc} += {a}[({row}) * {width} + {k}] * {b}[{k} * {width} + {column}];")
        self.say(f"{y}[({row}) * {width} + {column}] = {acc};")

    # ---- what all of a block do together
    def tile(self):
        rng, s = self.rng, self.new("tile")
        type_ = rng.choice(["float", "float", "int", "double", "float2", "unsigned char", "short", "float4", "complex", "point"])
        rows, width, pad = max((self.threads + 15) // 16, 16), 16, rng.choice([0, 1, 1, 2])
        x, y = self.array(f"const {type_}*", "x"), self.array(f"{type_}*", "y")
        self.say(f"__shared__ {type_} {s}[{rows}][{width + pad}];")
        self.say(f"{s}[t / 16u][t % 16u] = {x}{self.at('i')};")
        self.say("__syncthreads();")
        place = rng.choice(["[t % 16u][t / 16u]" if rows == 16 and self.threads <= 256 else "[t / 16u][15u - t % 16u]",
                            "[t / 16u][t % 16u ^ 1u]", "[t / 16u][0]"])
        self.say(f"{y}{self.at(self.linear())} = {s}{place};")

    def dynamic_arrays(self):
        """Several arrays in one dynamic shared memory."""
        rng = self.rng
        if self.dynamic > 0:
            return self.tile()
        first, second = rng.choice([("float", "int"), ("double", "unsigned char"), ("float4", "float"), ("int", "short"), ("unsigned", "float2")])
        a, b = self.new("first"), self.new("second")
        n = (self.threads + 15) // 16 * 16
        self.dynamic = n * (ALL[first] + ALL[second])
        self.say("extern __shared__ uint4 memory[];")
        self.say(f"{first}* {a} = reinterpret_cast<{first}*>(memory);")
        self.say(f"{second}* {b} = reinterpret_cast<{second}*>({a} + {n});")
        self.say(f"{a}[t] = {self.array(f'const {first}*', 'x')}{self.at('i')};")
        self.say(f"{b}[t] = made<{second}>(i);")
        self.say("__syncthreads();")
        other = rng.choice([f"{self.threads - 1}u - t", f"(t + 1u) % {self.threads}u", "t / 2u"])
        self.say(f"sum += folded({a}[{other}]) ^ folded({b}[{other}]);")

    def stencil(self):
        rng, s = self.rng, self.new("halo")
        type_ = rng.choice(["float", "int", "unsigned short"])
        x, n = self.array(f"const {type_}*", "x"), self.threads
        self.say(f"__shared__ {type_} {s}[{n + 2}];")
        self.say(f"{s}[t + 1u] = {x}{self.at('i + 1u')};")
        if rng.random() < 0.5:
            self.say(f"if (t == 0u) {s}[0] = {x}{self.at('i')};")
            self.say(f"if (t == {n - 1}u) {s}[{n + 1}] = {x}{self.at('i + 2u')};")
        else:
            self.say(f"if (t < 2u) {s}[t * {n + 1}u] = {x}{self.at(f'blockIdx.x * {n}u + t * {n + 1}u')};")
        self.say("__syncthreads();")
        self.say(f"sum += folded({s}[t]) ^ folded({s}[t + 1u]) * 3u ^ folded({s}[t + 2u]) * 5u;")

    def block_sum(self):
        rng, s, o = self.rng, self.new("part"), self.new("o")
        n = self.threads
        if n & n - 1:
            return self.stencil()
        type_ = rng.choice(["float", "int", "unsigned"])
        self.say(f"__shared__ {type_} {s}[{n}];")
        self.say(f"{s}[t] = {self.array(f'const {type_}*', 'x')}{self.at('i')};")
        self.say("__syncthreads();")
        way = rng.randrange(3)
        if way == 0:
            self.say(f"for (unsigned {o} = {n // 2}u; {o} > 0u; {o} >>= 1) {{")
            self.say(f"  if (t < {o}) {s}[t] += {s}[t + {o}];")
        elif way == 1:
            self.say(f"for (unsigned {o} = 1u; {o} < {n}u; {o} *= 2u) {{")
            self.say(f"  if (t % (2u * {o}) == 0u) {s}[t] += {s}[t + {o}];")
        else:
            self.say(f"for (unsigned {o} = 1u; {o} < {n}u; {o} *= 2u) {{")
            self.say(f"  const {type_} before = t >= {o} ? {s}[t - {o}] : {type_}(0);")
            self.say("  __syncthreads();")
            self.say(f"  {s}[t] += before;")
        self.say("  __syncthreads();")
        self.say("}")
        self.say(f"if (t == 0u) {self.array(f'{type_}*', 'y')}[blockIdx.x] = {s}[0];" if way < 2 else f"sum += folded({s}[t]);")

    def histogram(self):
        s, n = self.new("bins"), self.rng.choice([16, 64, 100])
        each = f"for (unsigned b = t; b < {n}u; b += {self.threads}u)"
        self.say(f"__shared__ unsigned {s}[{n}];")
        self.say(f"#pragma unroll 1\n  {each} {s}[b] = 0u;")
        self.say("__syncthreads();")
        self.say(f"atomicAdd(&{s}[{self.array('const unsigned*', 'x')}{self.at('i')} % {n}u], {self.rng.choice(['1u', '1u', 'sum | 1u'])});")
        self.say("__syncthreads();")
        z = self.array("unsigned*", "z")
        self.say(f"#pragma unroll 1\n  {each}")
        self.say(f"  {self.rng.choice([f'atomicAdd(&{z}[b], {s}[b])', f'{z}[blockIdx.x * {n}u + b] = {s}[b]'])};")

    # ---- what all of a warp do together
    def warp_sum(self):
        rng, v, o = self.rng, self.new("v"), self.new("o")
        kind = rng.choice(["float", "int", "unsigned", "double"])
        self.say(f"{kind} {v} = {self.array(f'const {kind}*', 'x')}{self.at('i')};")
        way = rng.randrange(3)
        if way == 0:
            self.say(f"for (int {o} = 16; {o} > 0; {o} /= 2) {v} += __shfl_down_sync(0xffffffffu, {v}, {o});")
        elif way == 1:
            self.say(f"for (int {o} = 16; {o} > 0; {o} >>= 1) {v} += __shfl_xor_sync(0xffffffffu, {v}, {o});")
        else:
            self.say(f"for (unsigned {o} = 1; {o} < 32u; {o} *= 2u) {{")
            self.say(f"  const {kind} up = __shfl_up_sync(0xffffffffu, {v}, {o});")
            self.say(f"  if (t % 32u >= {o}) {v} += up;")
            self.say("}")
        if rng.random() < 0.5:
            self.say(f"if (t % 32u == 0u) {self.array(f'{kind}*', 'y')}[i / 32u] = {v};")
        else:
            s = self.new("sums")
            self.say(f"__shared__ {kind} {s}[32];")
            self.say(f"if (t % 32u == 0u) {s}[t / 32u] = {v};")
            self.say("__syncthreads();")
            self.say(f"if (t < {self.threads // 32}u) sum += folded({s}[t]);")

    def aggregated(self):
        """One lane adds for those that take part; each warp has a counter of its own, so places are known."""
        m, base, mine = self.new("m"), self.new("base"), self.new("mine")
        y, counter = self.array("unsigned*", "y"), self.array("unsigned*", "z")
        self.say(f"const bool {mine} = {self.condition()};")
        self.say(f"const unsigned {m} = __ballot_sync(0xffffffffu, {mine});")
        self.say(f"if ({mine}) {{")
        self.say(f"  unsigned {base} = 0;")
        self.say(f"  const unsigned leader = __ffs({m}) - 1;")
        self.say(f"  if (t % 32u == leader) {base} = atomicAdd(&{counter}[i / 32u], __popc({m}));")
        self.say(f"  {base} = __shfl_sync({m}, {base}, leader);")
        self.say(f"  {y}[i / 32u * 32u + {base} + __popc({m} & ((1u << t % 32u) - 1u))] = i;")
        self.say("}")

    def guarded_grid(self):
        """A kernel's usual begin: a thread of an image, or none."""
        width, height = self.rng.choice([(60, 40), (100, 9), (37, 37)])
        c, r = self.new("column"), self.new("row")
        self.say(f"const unsigned {c} = blockIdx.x * blockDim.x + threadIdx.x, {r} = threadIdx.y;")
        type_ = self.rng.choice(["float", "uchar4", "unsigned char", "color", "float2"])
        x, y = self.array(f"const {type_}*", "x"), self.array(f"{type_}*", "y")
        self.say(f"if ({c} < {width}u && {r} < {height}u) {y}[{r} * {width}u + {c}] = {x}[{c} * {height}u + {r}];"
                 if self.rng.random() < 0.5 else
                 f"if ({c} < {width}u && {r} < {height}u) {y}[{r} * {width}u + {c}] = made<{type_}>(folded({x}[{r} * {width}u + {c}]) * 3u);")

    def access(self):
        ways = [self.vector] * 4 + [self.structure] * 3 + [self.plain] * 3 + [self.more_updates] * 2 + [super().access]
        self.rng.choice(ways)()

    def write_body(self):
        rng = self.rng
        if rng.random() < 0.25:
            self.say(f"if (i >= {self.threads * self.grid - rng.randrange(1, self.threads)}u) return;")
            self.left = True
        for _ in range(rng.randrange(1, 5)):
            anywhere = [self.access] * 5 + [self.grid_stride, self.sparse_row, self.divergent, self.product, self.guarded_grid]
            in_blocks = [] if self.left else [self.tile, self.tile, self.dynamic_arrays, self.stencil, self.block_sum, self.histogram]
            in_warps = [self.warp_sum, self.aggregated] if self.whole() else []
            if rng.random() < 0.25:
                self.statements(rng.randrange(1, 3), 2)
            else:
                rng.choice(anywhere + in_blocks + in_warps)()


def source(seed, count=40):
    return random_forms.source(seed, count, idiom, "random_idioms.py", more_preamble())


if __name__ == "__main__":
    print(source(*map(int, sys.argv[1:])), end="")
