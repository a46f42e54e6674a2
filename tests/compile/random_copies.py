#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_copies.py SIMRUN FIRST_SEED ROUNDS [KERNELS]: random CUDA kernels with asynchronous copies in groups, of which
many race: in some blocks only, for the first block of a kernel is always judged access by access. As loops, where copies
go out as rows, and on fibers the same kernels are to have findings, and those without are to leave the same. Prints one
line a round, and what differed; exit code 1 if anything did."""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SHAPES = [(64, 1), (32, 2), (16, 4), (48, 1), (8, 5)]


class kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.dx, self.dy = self.r.choice(SHAPES)
        self.careful = self.r.random() < 0.5  # few defects

    def rare(self, p):
        return self.r.random() < (p / 6 if self.careful else p)

    def place(self, stage):
        """A word of a stage for each thread."""
        own = "me" if self.careful or self.r.random() < 0.8 else self.r.choice(["N - 1 - me", "(me + 1) % N"])
        return f"s[{stage}][{own}]"

    def guard(self):
        return self.r.choice(["", "", "", "", f"if (me < {self.r.randint(1, 40)}) ", "if (b % 2 == 0) ", "if (tx > 2) ", "if (in[b] & 1) "])

    def statement(self, stages):
        r = self.r
        kind = r.random()
        if kind < 0.3:
            stage = r.choice(stages)
            if r.random() < 0.15:
                return f"{self.guard()}if (me % 4 == 0) copy16(&s[{stage}][me], &in[b * N + me]);"
            return f"{self.guard()}copy(&{self.place(stage)}, &in[b * N + {r.choice(['me', 'N - 1 - me', 'tx * DY + ty', '(k0 * 3) % 7 + me'])}]);"
        if kind < 0.45:
            return "__pipeline_commit();"
        if kind < 0.6:
            return f"__pipeline_wait_prior({r.choice(['0', '0', '1', '2', 'b > 3 ? 1 : 0'])});"
        if kind < 0.75:
            return "__syncthreads();"
        stage = r.choice(stages)
        if kind < 0.92:
            return f"{self.guard()}v = v * 3 + s[{stage}][{r.choice(['me', 'N - 1 - me', '(me + 5) % N', 'in[me] % N'])}];"
        return f"{self.guard()}s[{stage}][me] = v;"

    def defect(self):
        return self.rare(0.2)

    def round(self, stage, other):
        """What a program does that is written with care: copies, a wait, a barrier, reads, a barrier; and a defect in some."""
        r = self.r
        lines = [f"{self.guard() if self.defect() else ''}copy(&{self.place(stage)}, &in[b * N + {r.choice(['me', 'N - 1 - me', '(k0 * 3) % 7 + me'])}]);"
                 for _ in range(2 if self.defect() else 1)]
        lines.append("__pipeline_commit();")
        if r.random() < 0.4:
            lines.append(f"copy(&s[{other}][me], &in[me]);")
            lines.append("__pipeline_commit();")
            lines.append(f"__pipeline_wait_prior({'b > 2 ? 2 : 1' if self.defect() else '1'});")
        else:
            lines.append("if (b != 4) __pipeline_wait_prior(0);" if self.defect() else "__pipeline_wait_prior(0);")
        if self.defect():
            lines.append(self.statement([stage, other]))
        lines.append("if (b < 3) __syncthreads();" if self.defect() else "__syncthreads();")
        lines.append(f"v = v * 3 + s[{stage}][{r.choice(['me', 'N - 1 - me', '(me + 5) % N'])}];")
        if r.random() < 0.3:
            lines.append(f"for (int j = 0; j < 4; ++j) v += s[{stage}][ty * DX + j];")
        lines.append("__pipeline_wait_prior(0);" if not self.defect() else "")
        lines.append("if (b % 3 != 2) __syncthreads();" if self.defect() else "__syncthreads();")
        return lines

    def steps(self):
        lines = []
        for _ in range(self.r.randint(1, 3)):
            if self.r.random() < 0.75:
                a, b = self.r.sample(range(4), 2)
                body = self.round(f"(k0 + {a}) & 3" if self.r.random() < 0.4 else a, b)
                if not body[0].startswith("copy") or "(k0" in body[0]:
                    body = [line.replace(f"s[{b}]", f"s[(k0 + {b}) & 3]") for line in body]
            else:
                body = [self.statement(range(4)) for _ in range(self.r.randint(2, 8))]
            if self.r.random() < 0.5:
                body = [f"for (k0 = 0; k0 < {self.r.choice(['3', '2', 'b % 3 + 1'])}; ++k0) {{", *body, "}"]
            lines += body
        return "\n  ".join(lines)

    def text(self, name):
        text = f"""template <> __global__ void kernel<NAME>(const int* in, int* out) {{
  const int tx = threadIdx.x, ty = threadIdx.y, me = ty * DX + tx, b = blockIdx.x;
  __shared__ __align__(16) int s[4][N];
  int v = 0, k0 = 0;
  {"for (int j = 0; j < 4; ++j) s[j][me] = j + me; __syncthreads();" if self.r.random() < 0.8 else ""}
  {self.steps()}
  out[b * N + me] = v;
}}
"""
        for word, number in (("NAME", name), ("DX", self.dx), ("DY", self.dy), ("N", self.dx * self.dy)):
            text = re.sub(rf"\b{word}\b", str(number), text)
        return text


def program(seed, count):
    kernels = [kernel(seed * 1_000_003 + i) for i in range(count)]
    texts = "".join(k.text(i) for i, k in enumerate(kernels))
    launches = "".join(f"  if (which == {i}) one<{i}>(in, dim3({k.dx}, {k.dy}));\n" for i, k in enumerate(kernels))
    return f"""#include <cuda_pipeline.h>
#include <cstdio>
#include <cstdlib>
#define copy(to, from) __pipeline_memcpy_async(to, from, 4)
#define copy16(to, from) __pipeline_memcpy_async(to, from, 16)
template <int K> __global__ void kernel(const int* in, int* out);
{texts}
template <int K> void one(const int* in, dim3 shape) {{
  int *out, sum = 0;
  cudaMallocManaged(&out, 4096);
  kernel<K><<<8, shape>>>(in, out);
  cudaDeviceSynchronize();
  for (unsigned i = 0; i < 8 * shape.x * shape.y; ++i) sum = sum * 31 + out[i];
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


def run(simrun, source, how, which):
    """What its findings are about, the last line that it printed, how its launch ran."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run([simrun, str(source), "--check", "races,uninit", "--execution", how, "--workers", "1", "--json", report.name, "--", str(which)],
                              capture_output=True, text=True, timeout=300)
        if done.returncode not in (0, 3):
            return {f"exit code {done.returncode}: {done.stderr[-2000:]}"}, "", ""
        told = json.load(open(report.name))
    left = [line for line in done.stdout.splitlines() if line.startswith("left ")]
    return {f["rule"] for f in told["findings"]}, left, told["launches"][0]["execution"]


def main():
    simrun, first, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    wrong = 0
    for seed in range(first, first + rounds):
        with tempfile.TemporaryDirectory() as where:
            source = pathlib.Path(where) / "copies.cu"
            source.write_text(program(seed, count))
            differ, racy, as_loops = [], 0, 0
            for k in range(count):
                loops, loops_left, execution = run(simrun, source, "auto", k)
                fibers, fibers_left, _ = run(simrun, source, "fibers", k)
                racy += bool(fibers)
                as_loops += execution == "loops"
                # With a finding on loops the program runs again on fibers, and these say what is found.
                if bool(loops) != bool(fibers) or (not fibers and loops_left != fibers_left):
                    differ.append(f"kernel<{k}>: {loops} {loops_left}, on fibers {fibers} {fibers_left}")
            print(f"seed {seed}: {count} kernels, {as_loops} clean as loops, {racy} with findings, {len(differ)} differ")
            for line in differ:
                print("  " + line)
            wrong += len(differ)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
