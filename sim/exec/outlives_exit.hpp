// SPDX-License-Identifier: Apache-2.0
// A variable of a file that exit handlers ask for: it is there before any code runs and is never destroyed. A program
// whose own variables start the engine registers its exit handler before the engine's files are ready to destroy
// theirs, so ordinary ones would be gone when the report is written.
#pragma once

namespace simt::sim {

template <class T>
union outlives_exit {
  T value;
  constexpr outlives_exit() : value() {}
  constexpr ~outlives_exit() {}
};

}  // namespace simt::sim
