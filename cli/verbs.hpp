// SPDX-License-Identifier: Apache-2.0
// The verbs of simrun, one file each. Each takes the words after the verb and returns the exit code of cli.md.
#pragma once

#include <string>
#include <vector>

namespace simt::cli {

using words = std::vector<std::string>;

int verb_run(const words& arguments);
int verb_list(const words& arguments);
int verb_test(const words& arguments);
int verb_bench(const words& arguments);
int verb_compare(const words& arguments);
int verb_replay(const words& arguments);
int verb_explain(const words& arguments);
int verb_devices(const words& arguments);
// All words of a line that names a CUDA C++ source file.
int verb_cuda_source(const words& arguments);
// Do these arguments of simrun name a .cu file to run?
bool names_cuda_source(const words& arguments);

}  // namespace simt::cli
