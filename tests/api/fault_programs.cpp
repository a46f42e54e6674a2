// SPDX-License-Identifier: Apache-2.0
// Programs whose kernels die, one way each; fault_programs.sh says what the tool must make of them.
#include <simt/launch_each.hpp>
#include <simt/program.hpp>

namespace {

SIMT_DEVICE void trap_kernel(simt::thread t, simt::view<int> x) {
  t.expect(t.grid<1>() != 40, "element 40 is none of ours");
  x[t.grid<1>()] = 1;
}
SIMT_DEVICE void wild_kernel(simt::thread t, simt::view<int> x) {
  volatile int* const nowhere = reinterpret_cast<int*>(std::uintptr_t{0x2000'0000'0000});
  if (t.grid<1>() == 40) nowhere[0] = 1;
  x[t.grid<1>()] = 1;
}
SIMT_DEVICE void hang_kernel(simt::thread t, simt::view<int> x) {
  while (t.atomic_load(x[0]) == 0) t.yield();
}
SIMT_DEVICE void good_kernel(simt::thread t, simt::view<int> x) { x[t.grid<1>()] = 1; }

SIMT_DEVICE void pairs_element(std::int64_t i, simt::view<int> x) { x[i / 2] = static_cast<int>(i); }

void run_pairs(simt::run& r) {
  auto x = r.output("x", std::vector<int>(64));
  r.launch([&] { simt::launch_each<pairs_element>(r.stream(), {.grid = 2, .block = 32}, 128, x); });
}
template <auto Kernel>
void run_on_ones(simt::run& r) {
  auto x = r.output("x", std::vector<int>(64));
  r.launch([&] { simt::launch<Kernel>(r.stream(), {.grid = 2, .block = 32}, x); });
  r.expect(x, std::vector<int>(64, 1));
}
void run_whale(simt::run& r) {
  auto whale = r.scratch<char>("whale", std::int64_t{1} << 44);
  run_on_ones<good_kernel>(r);
}

const simt::program good{{.name = "good", .summary = "every thread writes its element"}, run_on_ones<good_kernel>};
const simt::program trap{{.name = "trap", .summary = "one thread's expectation fails"}, run_on_ones<trap_kernel>};
const simt::program wild{{.name = "wild", .summary = "one thread writes to an address of nobody"},
                         run_on_ones<wild_kernel>};
const simt::program hang{{.name = "hang", .summary = "every thread waits for a flag that nobody sets"},
                         run_on_ones<hang_kernel>};
const simt::program pairs{{.name = "pairs", .summary = "two elements each write to one place"}, run_pairs};
const simt::program whale{{.name = "whale", .summary = "asks for more memory than the device has"}, run_whale};

}  // namespace
