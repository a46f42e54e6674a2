// SPDX-License-Identifier: Apache-2.0
// The standard library's <math.h>. Its C++20 name lerp collides with older programs' own (helper_math.h has one), so it
// has another one unless the program asked for C++20. -std says so (frontends/cuda/driver/options.cpp). No guard:
// the library's own headers come here, too, each to be passed on.
#if defined(__cplusplus) && !defined(_SIMT_CPP20_NAMES)
#pragma push_macro("lerp")
#undef lerp
#define lerp simt_cpp20_lerp
#include_next <math.h>
#pragma pop_macro("lerp")
#else
#include_next <math.h>
#endif
