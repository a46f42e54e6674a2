// SPDX-License-Identifier: Apache-2.0
// What ptxas says of kernels, read.
#include <doctest/doctest.h>

#include "cli/ptxas_registers.hpp"

namespace simt::cli {

TEST_CASE("ptxas: registers and stack of entry functions, by their C++ names") {
  const std::string text =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z7reduce5IdLj256EEvPT_S1_j' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z6helperv\n"
      "    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Function properties for _Z7reduce5IdLj256EEvPT_S1_j\n"
      "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 14 registers, used 1 barriers, 2048 bytes smem\n"
      "ptxas info    : Compiling entry function '_Z5saxpyifPKfPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z5saxpyifPKfPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 12 registers\n"
      "ptxas info    : Compiling entry function '_Z4flagILb1EEvPi' for 'sm_90'\n";
  const std::vector<ptxas_kernel> all = read_ptxas(text);
  REQUIRE(all.size() == 3);
  CHECK(all[0] == ptxas_kernel{"reduce5<double, 256>", 14, 8, 4});
  CHECK(all[1] == ptxas_kernel{"saxpy", 12, 0, 0});
  CHECK(all[2] == ptxas_kernel{"flag<1>", -1, 0, 0});
  CHECK(read_ptxas("nvcc fatal   : no input files").empty());
}

}  // namespace simt::cli
