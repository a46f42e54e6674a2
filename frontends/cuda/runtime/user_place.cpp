// SPDX-License-Identifier: Apache-2.0
#include "user_place.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>

#include <sim/report/symbolize.hpp>

namespace simt_cuda {

std::vector<std::uintptr_t> callers_here() {
  constexpr int kMostFrames = 64;
  void* frames[kMostFrames];
  const int n = backtrace(frames, kMostFrames);
  std::vector<std::uintptr_t> callers;
  for (int i = 0; i < n; ++i) callers.push_back(reinterpret_cast<std::uintptr_t>(frames[i]));
  return callers;
}

std::string innermost_place(const std::vector<std::uintptr_t>& callers) {
  simt::symbolizer symbols;
  for (const std::uintptr_t address : callers)
    for (const simt::code_frame& f : symbols.frames(address))
      if (!f.engine && f.line != 0 && access(f.path.c_str(), R_OK) == 0)  // libraries' sources are rarely there
        return ", at " + f.file + ":" + std::to_string(f.line) + (f.function.empty() ? "" : " in " + f.function);
  return {};
}

std::string place_of_crash(std::uintptr_t pc) {
  std::vector<std::uintptr_t> callers = callers_here();
  const auto at = std::ranges::find(callers, pc);
  callers.erase(callers.begin(), at == callers.end() ? at : at + 1);  // the handler's own
  callers.insert(callers.begin(), pc + 1);                            // as a return address
  return innermost_place(callers);
}

}  // namespace simt_cuda
