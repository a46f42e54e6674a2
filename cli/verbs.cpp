// SPDX-License-Identifier: Apache-2.0
// The table of verbs: what is typed, what --help says, what is called.
#include "verbs.hpp"

#include <array>

namespace simt::cli {

std::span<const verb> verbs() {
  static constexpr std::array<verb, 14> kVerbs = {{
      {"run", "simrun [run] PROGRAM [options]", "run one program (the default verb)",
       [](const words& w) { return run_line(w); }},
      {"list", "simrun list [--json FILE]", "programs, one line each", verb_list},
      {"test", "simrun test [PATTERN] [options]", "every program against its expected result and findings", verb_test},
      {"bench", "simrun bench PROGRAM [options]", "median of --repeat N runs after a warm-up", verb_bench},
      {"compare", "simrun compare PROGRAM [options]", "simulator and GPU side by side: the first difference",
       verb_compare},
      {"profile", "simrun profile PROGRAM|APP.cu [options]", "what memory accesses cost, by kernel and source line",
       verb_profile},
      {"replay", "simrun replay FILE [PROGRAM]", "run again exactly what a JSON report recorded", verb_replay},
      {"campaign", "simrun campaign PLAN [options]", "the runs of a plan file, or a shard of them", verb_campaign},
      {"merge", "simrun merge FILE... [options]", "one report from the results of a campaign's shards", verb_merge},
      {"debug", "simrun debug PROGRAM|APP.cu [options]", "gdb, stopped in the kernel: --block X --thread X",
       verb_debug},
      {"explain", "simrun explain [RULE ...] [--cuda]", "what a rule means, an example, how to fix it", verb_explain},
      {"devices", "simrun devices", "simulated and real devices, limits, warp size", verb_devices},
      {"completion", "simrun completion bash|zsh|fish|man", "completion for a shell, or the manual page",
       verb_completion},
      {"", "simrun APP.cu [options] [-- ARGS]", "build and run a CUDA C++ source file on the simulator",
       [](const words& w) { return verb_cuda_source(w); }},
  }};
  return kVerbs;
}

}  // namespace simt::cli
