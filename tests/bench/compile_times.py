#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compile_times.py SIMRUN [FILE.cu ...]: how long a user waits for CUDA source to compile.

For each file the processor time (user seconds, all processes together) and the wall time of `SIMRUN FILE.cu -o app`,
plain and checked: the first of all with an empty cache, so that CUDA's headers are compiled, too, then each file with
those in the cache, three times (lowest and highest). Without files: a program of 16 lines and some of
tests/cuda_source.
On a machine that does other work, compare user seconds only, and builds in turns.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HELLO = """#include <cstdio>
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
int main() {
  const int n = 1024;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 2 * i;
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  cudaDeviceSynchronize();
  printf("c[10] = %g\\n", c[10]);
}
"""
SOURCES = pathlib.Path(__file__).resolve().parents[1] / "cuda_source"
USUAL = ["convolution_separable", "matmul_tiled", "scan", "histogram256", "warps", "conjugate_gradient",
         "reduction_kernels"]


def build(simrun, source, options, cache):
    """User seconds and wall seconds of one build."""
    start, before = time.monotonic(), os.times().children_user
    subprocess.run([simrun, source, "-o", os.path.join(cache, "app"), *options], check=True, capture_output=True,
                   env=dict(os.environ, SIMT_CACHE_DIR=cache))
    return os.times().children_user - before, time.monotonic() - start


def forget_programs(cache):
    for file in pathlib.Path(cache).glob("cuda*/*"):
        if not file.name.startswith("headers-"):
            file.unlink()


def main():
    simrun = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        hello = os.path.join(scratch, "hello.cu")
        pathlib.Path(hello).write_text(HELLO)
        files = sys.argv[2:] or [hello] + [str(SOURCES / f"{name}.cu") for name in USUAL]
        for variant, options in (("plain", []), ("checked", ["--check", "all"])):
            with tempfile.TemporaryDirectory() as cache:
                user, wall = build(simrun, files[0], options, cache)
                name = pathlib.Path(files[0]).stem
                print(f"{variant:8} {name:24} first of all: {user:5.2f} s user, {wall:6.2f} s wall")
                for file in files:
                    times = []
                    for _ in range(3):
                        forget_programs(cache)
                        times.append(build(simrun, file, options, cache))
                    users, walls = zip(*times)
                    print(f"{variant:8} {pathlib.Path(file).stem:24} {min(users):5.2f} - {max(users):5.2f} s user, "
                          f"{min(walls):6.2f} - {max(walls):6.2f} s wall", flush=True)


if __name__ == "__main__":
    main()
