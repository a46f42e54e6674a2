#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_rows.py SIMRUN FIRST_SEED ROUNDS [KERNELS]: random CUDA kernels whose threads take their places by i / w and i % w, of
which many race, in some blocks only. As loops, where such threads count as rows, and on fibers the same kernels are to
have findings, and those without are to leave the same. Prints as random_copies.py does."""
import random
import sys

import random_copies

SHARED = 12288


class kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.dx, self.dy = self.r.choice([64, 128, 96, 256, 60]), 1
        self.w = self.r.choice([2, 4, 8, 16, 32])
        self.rate = self.r.choice([0, 0.05, 0.15, 0.4])  # of defects
        self.type = self.r.choice(["int", "unsigned"])

    def defect(self):
        return self.r.random() < self.rate

    def parts(self):
        """The row and the place in it, in one of many ways to write them."""
        r, w = self.r, self.w if self.r.random() < 0.9 else self.r.choice([4, 8, 32])
        bits = w.bit_length() - 1
        i = r.choice(["x", "x", "x", "x", f"(x + {w} * late)", f"(x + {r.choice([w // 2, 2 * w, w])})"])
        return w, r.choice([f"({i} / {w})", f"({i} >> {bits})"]), r.choice([f"({i} % {w})", f"({i} & {w - 1})"])

    def place(self):
        """A word for each thread alone, unless there is a defect."""
        r = self.r
        w, row, column = self.parts()
        rows = self.dx // w + 4
        if r.random() < 0.5:
            pitch = w + r.choice([0, 0, 1, 4, w])
            at = f"{row} * {self.late(pitch)} + {column}"
        else:
            pitch = rows + r.choice([0, 1, 4])
            at = f"{column} * {self.late(pitch)} + {row}"
        return f"{at} + {self.late(r.choice([0, 0, 512, 512, 1024]))}"

    def late(self, number):
        return f"({number} - {self.r.choice([1, 2, 4, 16])} * late)" if self.defect() else str(number)

    def anywhere(self):
        """Words that several threads may read."""
        w, row, column = self.parts()
        return self.r.choice([f"{row} * {w} + k", f"k * {w} + {column}", f"{row} + 8 * k", f"{column} * 4 + k", "x * 2 + k"])

    def guard(self):
        w, row, column = self.parts()
        return self.r.choice(["", "", "", "", f"if ({column} == {self.r.randint(0, w - 1)}) ", f"if ({row} < {self.r.randint(1, 5)}) ",
                              f"if (x < {self.r.choice([32, 40, 64])}) ", f"if ((x & {self.r.choice([1, 4, 8])}) == 0) "])

    def piece(self):
        """Statements between two barriers: what is read and what is written lie apart, unless there is a defect."""
        r, lines = self.r, []
        if r.random() < 0.5:
            stay = r.choice(["", f" + {self.late(1024)} - 1024"])
            lines.append(f"{self.guard()}at(s, {self.place()}{stay}) = v + {r.randint(0, 9)};")
            if r.random() < 0.5:
                lines.append(f"{self.guard()}out[b * N + x] = v;")
        else:
            turns = r.choice([2, 4, self.w])
            if r.random() < 0.5:
                lines.append(f"{self.guard()}for (int k = 0; k < {turns}; ++k) v += at(s, {self.anywhere()});")
            else:
                lines.append(f"for (int k = 0; k < {turns}; ++k) {{ for (int i = 0; i < 2; ++i) f[i] = at(s, {self.anywhere()} + i); "
                             f"for (int i = 0; i < 2; ++i) g[i] = at(s, {self.anywhere()}); for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) v += f[i] * g[j]; }}")
            lines.append(f"{self.guard()}at(s, {self.place()} + {self.late(2048)}) = v;")
        r.shuffle(lines)
        lines.append("if (b < 5) __syncthreads();" if self.defect() else "__syncthreads();")
        return lines

    def text(self, name):
        lines = [line for _ in range(self.r.randint(1, 5)) for line in self.piece()]
        body = "\n  ".join(lines)
        return f"""template <> __global__ void kernel<{name}>(const int* in, int* out) {{
  const {self.type} x = threadIdx.x, b = blockIdx.x, late = (blockIdx.x + 4) / 8, N = {self.dx};
  __shared__ int s[{SHARED}];
  int v = in[x], f[2] = {{}}, g[2] = {{}};
  for (unsigned j = x; j < {SHARED}; j += {self.dx}) s[j] = j;
  __syncthreads();
  {body}
  (void)late, (void)f, (void)g;
  out[b * N + x] = v;
}}
"""


def program(seed, count):
    kernels = [kernel(seed * 1_000_003 + i) for i in range(count)]
    texts = "".join(k.text(i) for i, k in enumerate(kernels))
    launches = "".join(f"  if (which == {i}) one<{i}>(in, {k.dx});\n" for i, k in enumerate(kernels))
    return f"""#include <cstdio>
#include <cstdlib>
#define at(s, i) (s + 2048)[i]
template <int K> __global__ void kernel(const int* in, int* out);
{texts}
template <int K> void one(const int* in, int threads) {{
  int *out, sum = 0;
  cudaMallocManaged(&out, 4 * 8 * threads);
  cudaMemset(out, 0, 4 * 8 * threads);
  kernel<K><<<8, threads>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8 * threads; ++i) sum = sum * 31 + out[i];
  std::printf("left %x\\n", (unsigned)sum);
  cudaFree(out);
}}
int main(int, char** arguments) {{
  const int which = std::atoi(arguments[1]);
  int* in;
  cudaMallocManaged(&in, 4 * 2048);
  for (int i = 0; i < 2048; ++i) in[i] = i * 7 % 23;
{launches}  cudaFree(in);
}}
"""


if __name__ == "__main__":
    random_copies.program = program
    sys.exit(random_copies.main())
