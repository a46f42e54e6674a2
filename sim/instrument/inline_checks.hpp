// SPDX-License-Identifier: Apache-2.0
// What can be done in the place of the compiler's calls to __tsan_*, by processor: on x86-64 with g++, the beginning of
// those functions. Elsewhere the calls stay as they are.
#pragma once

#if defined(__x86_64__)
#include <sim/instrument/inline_checks_x86_64.hpp>
#endif
