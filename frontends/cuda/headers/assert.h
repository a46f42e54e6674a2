// SPDX-License-Identifier: Apache-2.0
// assert() that ends a kernel's launch instead of the process. Includable again, as the standard asks.
#include_next <assert.h>
#undef assert
namespace simt_cuda {
[[noreturn]] void assert_failed(const char* expression, const char* file, unsigned line, const char* function);
}
#if defined(NDEBUG)
#define assert(expression) (static_cast<void>(0))
#else
#define assert(...)                                      \
  (static_cast<bool>(__VA_ARGS__) ? static_cast<void>(0) \
                                  : ::simt_cuda::assert_failed(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#endif
