#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_tiles.py SIMRUN FIRST_SEED ROUNDS [KERNELS]: random CUDA kernels of blocks of several rows: tiles in shared memory,
what lies around them, guards, indices that are kept within the image, values kept over barriers, and what differs from block
to block. As loops, where neighbours run side by side (sim/compile/blocks_beside.hpp), and on fibers they are to leave the
same. Prints one line a round, and what differed; exit code 1 if anything did."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SHAPES = [(16, 16), (32, 8), (8, 8), (32, 4), (16, 4), (24, 5)]


class kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.dx, self.dy = self.r.choice(SHAPES)
        self.grid = self.r.choice([(5, 1), (6, 2), (9, 3), (11, 2), (14, 1)])
        self.arrays = self.r.randint(1, 2)
        self.bound = self.r.choice(["w", "w - 5", "w - (int)gridDim.x", "40"])

    def index(self):
        x = self.r.choice(["x", "x", "x - 1", "x + 1", "x - 3", "bx * 7 + tx", "w - 1 - x"])
        y = self.r.choice(["y", "y", "y - 1", "y + 1", "h - 1 - y"])
        how = self.r.choice(["clamp", "clamp", "mask", "modulo"])
        if how == "clamp":
            return f"min(max({y}, 0), h - 1) * w + min(max({x}, 0), w - 1)"
        return f"(({y}) * w + ({x})) & 1023" if how == "mask" else f"(unsigned)({y} + h) % 16u * w + (unsigned)({x} + w) % 32u"

    def value(self):
        return self.r.choice([f"in[{self.index()}]", f"in[{self.index()}] * 3u", "v", "v + tx", "u", "kept[ty % 2]", "(unsigned)bx",
                              f"(x > {self.r.randint(0, 20)} ? v : in[bx])"])

    def condition(self):
        return self.r.choice(["tx == 0", "tx == DX - 1", "ty == 0", "ty == DY - 1", "x < BOUND", "x > 0 && x < BOUND", "tx < 3",
                              "tx >= 1 && tx < DX - 1 && ty >= 1", "y > 0 && x < BOUND", "ty == 0 && tx == 0", "(in[tx] & 1) == 0", "bx > 2",
                              "tx == 0 && x > 0", "inside"])

    def tile(self):
        return self.r.choice("st"[:self.arrays])

    def write(self):
        """Only the thread's own elements, and those at the edges that no other thread has in this step."""
        s = self.tile()
        return self.r.choice([f"{s}[ty + 1][tx + 1] = {self.value()};", f"if ({self.condition()}) {s}[ty + 1][tx + 1] = {self.value()};",
                              f"if (tx == 0) {s}[ty + 1][0] = {self.value()};", f"if (tx == DX - 1) {s}[ty + 1][tx + 2] = {self.value()};",
                              f"if (ty == 0{self.r.choice(['', ' && x > 0'])}) {s}[0][tx + 1] = {self.value()};",
                              f"if (ty == DY - 1) {s}[ty + 2][tx + 1] = {self.value()};",
                              f"v = v * 5u + {self.value()};", f"if ({self.condition()}) v ^= {self.value()};", f"kept[{self.r.randint(0, 1)}] = {self.value()};"])

    def read(self):
        s = self.tile()
        near = f"{s}[ty + {self.r.randint(0, 2)}][tx + {self.r.randint(0, 2)}]"
        return self.r.choice([f"v += {near};", f"v = v * 3u + {near} * 7u;", f"if ({self.condition()}) v += {near};",
                              f"for (int j = 0; j < 3; ++j) for (int i = 0; i < 3; ++i) v = v * 3u + {s}[ty + j][tx + i];",
                              f"u += {s}[1][{self.r.randint(1, 8)}];", f"if ({self.condition()}) out[at] = v + {near};", f"inside = {self.condition()};"])

    def steps(self, depth=0):
        lines = []
        for _ in range(self.r.randint(1, 3)):
            kind = self.r.random()
            if kind < 0.15 and depth < 2:
                lines.append(f"for (int k{depth} = 0; k{depth} < {self.r.choice(['2', '3', 'bx % 3', '(int)blockIdx.y + 1'])}; ++k{depth}) {{ {self.steps(depth + 1)} }}")
                continue
            if kind < 0.25 and depth < 2:
                lines.append(f"if ({self.r.choice(['bx % 2 == 0', 'blockIdx.y == 0', 'in[5] > 2u', 'bx > 3'])}) {{ {self.steps(depth + 1)} }}")
                continue
            if kind < 0.4:
                s = self.tile()
                lines.append(f"for (int j = ty; j < DY + 2; j += DY) for (int i = tx; i < DX + 2; i += DX) {s}[j][i] = "
                             f"in[min(max(y0 + j - 1, 0), h - 1) * w + min(max(x0 + i - 1, 0), w - 1)] + {self.r.randint(0, 9)}u;")
            else:
                lines += [self.write() for _ in range(self.r.randint(1, 5))]
            lines.append("__syncthreads();")
            lines += [self.read() for _ in range(self.r.randint(1, 3))]
            lines.append("__syncthreads();")
        return "\n  ".join(lines)

    def text(self, name):
        arrays = "".join(f"  __shared__ unsigned {s}[DY + 2][DX + 2];\n" for s in "st"[:self.arrays])
        begin = "\n  ".join(f"{s}[ty + 1][tx + 1] = ty; {s}[ty][tx] = tx; {s}[ty + 2][tx] = 5; {s}[ty][tx + 2] = 7; {s}[ty + 2][tx + 2] = 9;"
                            for s in "st"[:self.arrays])
        begin = "\n  ".join(f"for (int j = ty; j < DY + 2; j += DY) for (int i = tx; i < DX + 2; i += DX) {s}[j][i] = j * 40 + i;" for s in "st"[:self.arrays])
        leaves = self.r.choice(["", "", "if (x >= BOUND) return;", "if (in[at & 1023] % 11u == 3u) return;"])
        body = f"{arrays}  {begin}\n  __syncthreads();\n  {leaves}\n  {self.steps()}\n  out[at] += v + u * 3u + kept[0] + kept[1] + inside;"
        for word, number in (("DX", self.dx), ("DY", self.dy), ("BOUND", f"({self.bound})")):
            body = body.replace(word, str(number))
        return f"""__global__ void {name}(const unsigned* in, unsigned* out, int w, int h) {{
  const int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, x0 = bx * {self.dx}, y0 = blockIdx.y * {self.dy}, x = x0 + tx, y = y0 + ty;
  const int at = y * gridDim.x * {self.dx} + x;
  unsigned v = tx, u = bx, kept[2] = {{1u, in[ty]}};
  bool inside = false;
{body}
}}
"""

    def launch(self, name):
        return (f"  cudaMemset(out, 0, 4 * kElements); {name}<<<dim3({self.grid[0]}, {self.grid[1]}), dim3({self.dx}, {self.dy})>>>(in, out, "
                f"{self.r.choice([32, 50])}, {self.r.choice([16, 20])}); show(\"{name}\");\n")


def program(seed, count):
    kernels = [kernel(seed * 1_000_003 + i) for i in range(count)]
    texts = "".join(k.text(f"kernel_{i}") for i, k in enumerate(kernels))
    launches = "".join(k.launch(f"kernel_{i}") for i, k in enumerate(kernels))
    return f"""#include <cstdio>
constexpr int kElements = 1 << 14;
{texts}
int main() {{
  unsigned *in, *out;
  cudaMallocManaged(&in, 4 * kElements), cudaMallocManaged(&out, 4 * kElements);
  for (int i = 0; i < kElements; ++i) in[i] = i * 2654435761u >> 9;
  const auto show = [&](const char* name) {{
    cudaDeviceSynchronize();
    unsigned long sum = 0;
    for (int i = 0; i < kElements; ++i) sum = sum * 31 + out[i];
    std::printf("%s %lx\\n", name, sum);
  }};
{launches}}}
"""


def main():
    simrun, first, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    count, wrong = int(sys.argv[4]) if len(sys.argv) > 4 else 20, False
    with tempfile.TemporaryDirectory() as scratch:
        source, report = pathlib.Path(scratch) / "tiles.cu", pathlib.Path(scratch) / "report.json"
        for seed in range(first, first + rounds):
            source.write_text(program(seed, count))
            run = lambda *more: subprocess.run([simrun, source, "--quiet", *more], capture_output=True, text=True)
            loops, fibers = run("--json", report, "--workers", "1"), run("--execution", "fibers")
            differ = [a for a, b in zip(loops.stdout.splitlines(), fibers.stdout.splitlines()) if a != b]
            good = not differ and loops.returncode == fibers.returncode == 0 and len(loops.stdout.splitlines()) == count
            launches = json.loads(report.read_text())["launches"] if good else []
            ran = sum(l["execution"] == "loops" for l in launches)
            print(f"seed {seed}: {'right' if good else 'WRONG'}, {ran} of {count} kernels ran as loops", *differ, *([] if good else [loops.stderr[-800:], fibers.stderr[-800:]]), flush=True)
            wrong |= not good
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
