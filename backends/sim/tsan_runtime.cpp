// SPDX-License-Identifier: Apache-2.0
// The functions that -fsanitize=thread calls, bound to the detector. Must be compiled without instrumentation.
#include <backends/sim/bound_judge.hpp>
#include <sim/instrument/tsan_abi.hpp>
