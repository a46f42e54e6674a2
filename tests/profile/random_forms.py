#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_forms.py SEED [N]: CUDA source with N (40) random kernels of many forms, for a GPU and for `simrun profile`.

Where random_kernels.py goes for addresses, this goes for what a language has: elements of 1 to 32 bytes (half, vectors,
structures with and without alignment, whole and by member), blocks of one to three dimensions and partial warps, switches,
nested loops of unequal length, break, continue, early returns, functions that are and are not inlined, templates, local
arrays, operations of warps, shared arrays of one and two dimensions with and without padding, static and dynamic, every
atomic function with and without a use of the old value, floating-point arithmetic.

As there, each access has an array of its own, addresses in a loop depend on its turn, an update never has one address for
all lanes, and what is done depends on indices and constant tables only. Forms of which nvcc is known to make something
else (docs/profile.md, "What nvcc makes of it") are left out. Records name these programs "forms: SEED".
"""
import random
import sys

import random_kernels

ELEMENTS = random_kernels.ELEMENTS
# How a value of each type is made of an unsigned, and folded into one. nvcc sees every byte used.
PREAMBLE = """
struct triple {
  unsigned a, b, c;
};
struct couple {
  float a, b;
};
struct alignas(8) pair {
  unsigned a, b;
};
struct alignas(16) quad {
  unsigned a, b, c, d;
};
struct five {
  float a, b, c, d, e;
};
struct longs {
  unsigned long long a, b;
};
struct frame {
  float4 a, b;
};

__device__ unsigned folded(signed char v) { return v; }
__device__ unsigned folded(unsigned char v) { return v; }
__device__ unsigned folded(unsigned short v) { return v; }
__device__ unsigned folded(int v) { return v; }
__device__ unsigned folded(unsigned v) { return v; }
__device__ unsigned folded(float v) { return __float_as_uint(v); }
__device__ unsigned folded(unsigned long long v) { return static_cast<unsigned>(v ^ v >> 32); }
__device__ unsigned folded(double v) { return folded(static_cast<unsigned long long>(__double_as_longlong(v))); }
__device__ unsigned folded(__half v) { return __half_as_ushort(v); }
__device__ unsigned folded(__half2 v) { return folded(__low2half(v)) * 3u ^ folded(__high2half(v)); }
__device__ unsigned folded(float2 v) { return folded(v.x) ^ folded(v.y); }
__device__ unsigned folded(float3 v) { return folded(v.x) ^ folded(v.y) ^ folded(v.z); }
__device__ unsigned folded(float4 v) { return folded(v.x) ^ folded(v.y) ^ folded(v.z) ^ folded(v.w); }
__device__ unsigned folded(double2 v) { return folded(v.x) ^ folded(v.y); }
__device__ unsigned folded(uchar4 v) { return v.x * 3u ^ v.y * 5u ^ v.z * 7u ^ v.w; }
__device__ unsigned folded(short2 v) { return v.x * 3u ^ v.y; }
__device__ unsigned folded(triple v) { return v.a ^ v.b ^ v.c; }
__device__ unsigned folded(couple v) { return folded(v.a) ^ folded(v.b); }
__device__ unsigned folded(pair v) { return v.a ^ v.b; }
__device__ unsigned folded(quad v) { return v.a ^ v.b ^ v.c ^ v.d; }
__device__ unsigned folded(five v) { return folded(v.a) ^ folded(v.b) ^ folded(v.c) ^ folded(v.d) ^ folded(v.e); }
__device__ unsigned folded(longs v) { return folded(v.a) ^ folded(v.b); }
__device__ unsigned folded(frame v) { return folded(v.a) ^ folded(v.b); }

__device__ float real(unsigned v) { return __uint_as_float(v & 0x3fffffffu); }
template <class T>
__device__ T made(unsigned v);
template <> __device__ signed char made(unsigned v) { return v; }
template <> __device__ unsigned char made(unsigned v) { return v; }
template <> __device__ unsigned short made(unsigned v) { return v; }
template <> __device__ int made(unsigned v) { return v; }
template <> __device__ unsigned made(unsigned v) { return v; }
template <> __device__ float made(unsigned v) { return real(v); }
template <> __device__ unsigned long long made(unsigned v) { return v * 0x100000003ull; }
template <> __device__ double made(unsigned v) { return __longlong_as_double(made<unsigned long long>(v & 0x3fffffffu)); }
template <> __device__ __half made(unsigned v) { return __ushort_as_half(static_cast<unsigned short>(v)); }
template <> __device__ __half2 made(unsigned v) { return __halves2half2(made<__half>(v), made<__half>(v * 3u)); }
template <> __device__ float2 made(unsigned v) { return make_float2(real(v), real(v * 3u)); }
template <> __device__ float3 made(unsigned v) { return make_float3(real(v), real(v * 3u), real(v * 5u)); }
template <> __device__ float4 made(unsigned v) { return make_float4(real(v), real(v * 3u), real(v * 5u), real(v * 7u)); }
template <> __device__ double2 made(unsigned v) { return make_double2(made<double>(v), made<double>(v * 3u)); }
template <> __device__ uchar4 made(unsigned v) { return make_uchar4(v, v * 3u, v * 5u, v * 7u); }
template <> __device__ short2 made(unsigned v) { return make_short2(v, v * 3u); }
template <> __device__ triple made(unsigned v) { return {v, v * 3u, v * 5u}; }
template <> __device__ couple made(unsigned v) { return {real(v), real(v * 3u)}; }
template <> __device__ pair made(unsigned v) { return {v, v * 3u}; }
template <> __device__ quad made(unsigned v) { return {v, v * 3u, v * 5u, v * 7u}; }
template <> __device__ five made(unsigned v) { return {real(v), real(v * 3u), real(v * 5u), real(v * 7u), real(v * 9u)}; }
template <> __device__ longs made(unsigned v) { return {made<unsigned long long>(v), made<unsigned long long>(v * 3u)}; }
template <> __device__ frame made(unsigned v) { return {made<float4>(v), made<float4>(v * 11u)}; }

// Bytes that depend on their place, or zeros. Never freed: the program ends with its kernels.
template <class T>
T* fresh(int n, bool filled_with_bytes) {
  if (!filled_with_bytes) return zeroed<T>(n);
  return reinterpret_cast<T*>(filled<unsigned>(n * sizeof(T) / 4));
}
"""
SIZES = {"signed char": 1, "unsigned char": 1, "unsigned short": 2, "__half": 2, "int": 4, "unsigned": 4, "float": 4,
         "__half2": 4, "uchar4": 4, "short2": 4, "unsigned long long": 8, "double": 8, "float2": 8, "couple": 8, "pair": 8,
         "float3": 12, "triple": 12, "float4": 16, "double2": 16, "quad": 16, "longs": 16, "five": 20, "frame": 32}
# Members that a statement takes or puts by themselves.
MEMBERS = {"float3": "yz", "triple": "abc", "five": "ace", "longs": "ab", "couple": "b", "frame": "ab", "pair": "b", "float4": "w"}
UPDATES = {"unsigned": ["Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exch", "Inc", "Dec", "CAS"],
           "int": ["Add", "Min", "Max", "Exch", "CAS"], "float": ["Add", "Exch"], "double": ["Add"],
           "unsigned long long": ["Add", "Min", "Max", "And", "Or", "Xor", "Exch", "CAS"]}
SHARED_UPDATES = {"unsigned": UPDATES["unsigned"], "int": UPDATES["int"], "unsigned long long": ["Exch", "CAS"]}
BLOCKS = [(32, 1, 1), (64, 1, 1), (96, 1, 1), (100, 1, 1), (256, 1, 1), (16, 16, 1), (33, 3, 1), (8, 4, 4), (5, 7, 2), (20, 5, 1),
          (128, 1, 1), (32, 4, 1)]


class form(random_kernels.kernel):
    def __init__(self, rng, number):
        super().__init__(rng, number)
        self.name, self.block, self.functions, self.zeros, self.names = f"form_{number}", rng.choice(BLOCKS), [], [], 0
        self.left = False     # threads have returned: nothing that all of a warp or block do
        self.dynamic = 0      # elements of dynamic shared memory
        self.budget = rng.randrange(3, 12)  # of statements

    def whole(self):
        """All threads of full warps are here."""
        x, y, z = self.block
        return not self.left and self.depth == 1 and x * y * z % 32 == 0

    def new(self, what):
        self.names += 1
        return f"{what}{self.names}"

    def type(self, most=32):
        return self.rng.choice([t for t in SIZES if SIZES[t] <= most])

    def use(self, type_, text):
        """Takes in a value: folded, or computed with."""
        if type_ == "float" and self.rng.random() < 0.7:
            self.say(self.rng.choice(["real_sum += {};", "real_sum = real_sum * 1.25f + {};", "real_sum *= {};",
                                      "real_sum -= {} * 0.75f;"]).format(text))
        elif type_ == "double" and self.rng.random() < 0.7:
            self.say(f"double_sum = double_sum * 1.25 + {text};")
        else:
            self.say(f"sum = sum * 3u + folded({text});")

    def value(self, type_):
        return f"made<{type_}>(sum)"

    def load(self):
        type_ = self.type()
        x = f"{self.array('const ' + type_ + '*', 'x')}[{self.index(ELEMENTS)}]"
        way = self.rng.random()
        if type_ in MEMBERS and way < 0.3:
            member = self.rng.choice(MEMBERS[type_])
            self.say(f"sum = sum * 3u + folded({x}.{member});")
        elif way < 0.5:
            self.say(f"{self.array(type_ + '*', 'y')}[{self.index(ELEMENTS)}] = {x};")
        elif type_ in MEMBERS and way < 0.6:
            v = self.new("v")
            self.say(f"{type_} {v} = {x};")
            member = self.rng.choice(MEMBERS[type_])
            self.say(f"{v}.{member} = made<decltype({v}.{member})>(sum);")
            self.say(f"{self.array(type_ + '*', 'y')}[{self.index(ELEMENTS)}] = {v};")
        else:
            self.use(type_, x)

    def store(self):
        type_ = self.type()
        y = f"{self.array(type_ + '*', 'y')}[{self.index(ELEMENTS)}]"
        if type_ in MEMBERS and self.rng.random() < 0.25:
            y += "." + self.rng.choice(MEMBERS[type_])
            self.say(f"{y} = made<decltype({y})>(sum);")
        else:
            self.say(f"{y} = made<{type_}>(sum);")

    def update(self):
        rng = self.rng
        shared = rng.random() < 0.3
        kinds = SHARED_UPDATES if shared else UPDATES
        type_ = rng.choice(list(kinds))
        op = rng.choice(kinds[type_])
        at = self.index(512 // SIZES[type_], True)
        if shared:
            place = f"{self.array_shared(type_)}[{at}]"
        else:
            place = f"{self.array(type_ + '*', 'z')}[{at}]"
        new = f"made<{type_}>(sum | 2u)" if rng.random() < 0.8 or type_ not in ("int", "unsigned") else "1"
        call = f"atomic{op}(&{place}, {self.value(type_) + ', ' if op == 'CAS' else ''}{new})"
        if rng.random() < 0.5:
            self.say(f"sum = sum * 3u + folded({call});")
        else:
            self.say(f"{call};")

    def array_shared(self, type_="unsigned"):
        name = self.new("s")
        self.shared.append(f"  __shared__ {type_} {name}[{512 // SIZES[type_]}];")
        self.zeros.append(f"for (unsigned k = t; k < {512 // SIZES[type_]}u; k += blockDim.x * blockDim.y * blockDim.z) {name}[k] = {{}};")
        return name

    def access(self):
        self.rng.choice([self.load] * 4 + [self.store] * 3 + [self.update] * 2)()

    def exchange(self):
        """All threads write shared memory, wait, and read it at other places."""
        if self.left:
            return
        type_, name = self.type(), self.new("e")
        way = self.rng.randrange(3)
        elements = 2048 // SIZES[type_] // 32 * 32 or 32
        elements = 1 << (elements.bit_length() - 1)
        if way == 0:
            rows = elements // 16
            width = 16 + self.rng.choice([0, 1, 2, 4])
            self.say(f"__shared__ {type_} {name}[{rows}][{width}];")
            place = lambda: f"{name}[{self.index(rows)}][{self.index(16)}]"
        elif way == 1 and self.dynamic == 0:
            self.dynamic = elements * SIZES[type_]
            self.say("extern __shared__ uint4 dynamic_memory[];")
            self.say(f"{type_}* const {name} = reinterpret_cast<{type_}*>(dynamic_memory);")
            place = lambda: f"{name}[{self.index(elements)}]"
        else:
            self.say(f"__shared__ {type_} {name}[{elements}];")
            place = lambda: f"{name}[{self.index(elements)}]"
        self.say(f"{place()} = {self.value(type_)};")
        self.say("__syncthreads();")
        if type_ in MEMBERS and self.rng.random() < 0.3:
            self.say(f"sum = sum * 3u + folded({place()}.{self.rng.choice(MEMBERS[type_])});")
        else:
            self.use(type_, place())

    def of_warps(self):
        rng, way = self.rng, self.rng.randrange(5)
        if way == 0:
            self.say(f"sum += __shfl_xor_sync(~0u, sum, {rng.choice([1, 4, 16])});")
        elif way == 1:
            c, place = self.new("c"), self.new("place")
            self.say(f"const bool {c} = {self.condition()};")
            self.say(f"const unsigned {place} = __popc(__ballot_sync(~0u, {c}) & ((1u << t % 32u) - 1u));")
            y = self.array("unsigned*", "y")
            self.say(f"if ({c}) {y}[(i / 32u * 32u + {place}) & {ELEMENTS - 1}u] = sum;")
        elif way == 2:
            w = self.new("w")
            self.say(f"__shared__ unsigned {w}[256];")
            self.say(f"{w}[t] = sum;")
            self.say("__syncwarp();")
            self.say(f"sum += {w}[t ^ {rng.randrange(1, 32)}u];")
        elif way == 3:
            self.say(f"if (__any_sync(~0u, {self.condition()})) {{")
            self.inside(1)
            self.say("}")
        else:
            x = self.array("const float*", "x")
            self.say(f"real_sum += {x}[__shfl_sync(~0u, i, 31u - t % 32u) & {ELEMENTS - 1}u];")

    def choose(self, nest):
        self.say(f"switch ({self.rng.choice(['t', 'i', 'threadIdx.x'])} % {self.rng.choice([3, 4, 5])}u) {{")
        for case in range(self.rng.randrange(2, 4)):
            self.say(f"  case {case}: {{")
            self.inside(nest)
            self.say("  } break;")
        if self.rng.random() < 0.5:
            self.say("  default: {")
            self.inside(nest)
            self.say("  }")
        self.say("}")

    def loop(self, nest):
        rng, outer = self.rng, self.turn
        self.loops += 1
        k = f"k{self.loops}"
        self.turn = f"({outer} * 5 + {k})" if outer else k
        lengths = ["3u", "5u", "t % 4u", "(i & 7u) + 1u", "(t / 32u) + 1u"] + ([f"({outer} + t) % 3u"] * 4 if outer else [])
        length, way = rng.choice(lengths), rng.randrange(4)
        if way == 0:
            self.say(f"unsigned {k} = 0;\n" + "#pragma unroll 1")
            self.say("do {")
            self.inside(nest)
            self.say(f"}} while (++{k} < {length});")
        else:
            self.say("#pragma unroll 1")
            self.say(f"for (unsigned {k} = 0; {k} < {length}; ++{k}) {{")
            if way == 1:
                self.say(f"  if ({self.condition()}) {rng.choice(['break', 'continue'])};")
            self.inside(nest)
            self.say("}")
        self.turn = outer

    def call_function(self):
        """Some accesses by a function, inlined or not, a template or not."""
        rng = self.rng
        type_, name = self.type(16), self.new(f"{self.name}_part")
        is_template, inlined = rng.random() < 0.5, rng.random() < 0.5
        head = ("template <class T, unsigned Stride>\n" if is_template else "") + "__device__ " + ("" if inlined else "__noinline__ ")
        t, stride = ("T", "Stride") if is_template else (type_, "3u")
        self.functions.append(f"{head}unsigned {name}(const {t}* x, {t}* y, unsigned i, unsigned t) {{\n"
                              f"  y[(t * {stride} + i) & {ELEMENTS - 1}u] = made<{t}>(i * 3u);\n"
                              f"  return folded(x[(i * {stride} + t) & {ELEMENTS - 1}u]) * 5u;\n}}")
        arguments = f"<{type_}, {rng.choice([1, 2, 7])}>" if is_template else ""
        x, y = self.array(f"const {type_}*", "x"), self.array(f"{type_}*", "y")
        turn = f" + {self.turn} * 33u" if self.turn else ""
        self.say(f"sum += {name}{arguments}({x}, {y}, i{turn}, t);")

    def local_array(self):
        a, x = self.new("a"), self.array("const unsigned*", "x")
        turn = f" + {self.turn} * 7u" if self.turn else ""
        self.say(f"unsigned {a}[8];")
        self.say("#pragma unroll 1")
        self.say(f"for (unsigned k = 0; k < 8u; ++k) {a}[k] = {x}[(i * 3u + k * 64u{turn}) & {ELEMENTS - 1}u];")
        self.say(f"sum = sum * 3u + {a}[(t + {self.rng.randrange(8)}u) & 7u];")

    def unrolled(self):
        type_ = self.rng.choice(["float", "unsigned", "float2", "triple"])
        x, k = self.array(f"const {type_}*", "x"), self.new("u")
        turn = f" + {self.turn} * 7u" if self.turn else ""
        self.say(f"for (unsigned {k} = 0; {k} < 4u; ++{k}) sum += folded({x}[(i + {k} * 512u{turn}) & {ELEMENTS - 1}u]);")

    def statements(self, count, nest):
        for _ in range(count if self.budget > 0 else 1):
            self.budget -= 1
            way = self.rng.random() if self.budget > 0 else 1
            if nest > 0 and way < 0.15:
                self.say(f"if ({self.condition()}) {{")
                self.inside(nest)
                if self.rng.random() < 0.5:
                    self.say("} else {")
                    self.inside(nest)
                self.say("}")
            elif nest > 0 and way < 0.22:
                self.choose(nest)
            elif nest > 0 and way < 0.36:
                self.loop(nest)
            elif way < 0.42:
                self.call_function()
            elif way < 0.46:
                self.local_array()
            elif way < 0.50:
                self.unrolled()
            elif way < 0.58 and self.whole():
                self.of_warps()
            elif way < 0.60 and self.depth == 1 and not self.left:
                self.say(f"if ({self.condition()}) return;")
                self.left = True
            else:
                self.access()

    def write_body(self):
        for _ in range(self.rng.randrange(1, 4)):
            self.statements(self.rng.randrange(1, 4), 2)
            if self.rng.random() < 0.5:
                self.exchange()

    def text(self):
        self.write_body()
        zero = ["#pragma unroll 1\n  " + z for z in self.zeros] + (["  __syncthreads();"] if self.zeros else [])
        types = ", ".join(f"{type_} {name}" for type_, name in self.parameters)
        start = ["  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
                 "  const unsigned i = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;", "  unsigned sum = i * 5u + 1u;"]
        body = "\n".join([*zero, *self.lines])
        ends = ["  out[i] = sum;"]
        for name, type_ in (("real_sum", "float"), ("double_sum", "double")):
            if name in body:
                start.append(f"  {type_} {name} = 1;")
                ends[0] = ends[0][:-1] + f" ^ folded({name});"
        return "\n".join([*self.functions, f"__global__ void {self.name}({types}{', ' if types else ''}unsigned* out) {{",
                          *self.shared, *start, body, *ends, "}"])

    def call(self):
        made = []
        for type_, _ in self.parameters:
            plain = type_.replace("const ", "").rstrip("*").strip()
            made.append(f"fresh<{plain}>({ELEMENTS}, {'true' if type_.startswith('const') else 'false'})")
        x, y, z = self.block
        return f"  RUN_WITH({self.name}, {self.grid}, dim3({x}, {y}, {z}), {self.dynamic}, {', '.join([*made, 'out'])});"


def source(seed, count=40, make=form, maker="random_forms.py", preamble=PREAMBLE):
    rng = random.Random(seed)
    kernels = [make(rng, n) for n in range(count)]
    bodies = [k.text() for k in kernels]
    return (f"// SPDX-License-Identifier: Apache-2.0\n// Made by {maker} {seed} {count}.\n"
            '#include <cuda_fp16.h>\n\n#include "check.hpp"\n\n'
            "#define RUN_WITH(kernel, grid, block, bytes, ...) \\\n  do { \\\n    kernel<<<grid, block, bytes>>>(__VA_ARGS__); \\\n"
            "    LOOK(cudaGetLastError()); \\\n    LOOK(cudaDeviceSynchronize()); \\\n  } while (false)\n"
            + preamble + "\n" + "\n".join(bodies) + "\n\nint main() {\n  unsigned* out = zeroed<unsigned>(1 << 14);\n"
            + "\n".join(k.call() for k in kernels) + "\n  return 0;\n}\n")


if __name__ == "__main__":
    print(source(*map(int, sys.argv[1:])), end="")
