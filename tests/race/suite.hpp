// SPDX-License-Identifier: Apache-2.0
// The labelled race suite: pairs of a defective kernel and its clean twin, which differ in one line.
//
// A pair is a function of `defect`; the line that differs stands under `if constexpr (Defect)` or its negation.
// Under every schedule the defective twin must give a finding of the wanted rule (and object) and the clean one none.
#pragma once

#include <simt/check.hpp>
#include <simt/simt.hpp>

#include <string>
#include <vector>

namespace suite {

struct pair {
  const char* name;
  const char* mechanism;  // heading in the table
  simt::rule wanted;
  const char* object;  // substring of the finding's object; "": any
  void (*run)(bool defect);
  bool single_schedule = false;  // the defect hangs or crashes: one schedule is enough
  bool leaks = false;            // judged by what stays allocated
};

inline std::vector<pair>& pairs() {
  static std::vector<pair> all;
  return all;
}
struct add {
  explicit add(pair p) { pairs().push_back(p); }
};

// Zeroed device memory.
template <class T>
simt::buffer<T> zeros(std::int64_t n, const char* name = "x") {
  simt::buffer<T> b(n, name);
  b.fill_bytes(0);
  return b;
}

// Launches one of two instantiations of a kernel.
template <auto Defective, auto Clean, class... A>
void launch_twin(bool defect, const simt::launch_config& c, A&&... a) {
  if (defect)
    simt::launch<Defective>(c, a...);
  else
    simt::launch<Clean>(c, a...);
  simt::synchronize();
}

// Nobody judges the defective ones in the other variants, or runs them: there they need not be compiled.
#if defined(SIMT_VARIANT_CHECK)
inline constexpr bool kRunsDefects = true;
#else
inline constexpr bool kRunsDefects = false;
#endif

// Both twins of a kernel template on `defect`.
#define TWIN(kernel, config, ...) \
  suite::launch_twin<kernel<suite::kRunsDefects>, kernel<false>>(defect, config, __VA_ARGS__)

#define PAIR(name, mechanism, wanted_rule, object)                                                \
  void name##_run(bool defect);                                                                   \
  const suite::add name##_added{{#name, mechanism, simt::rule::wanted_rule, object, name##_run}}; \
  void name##_run(bool defect)
#define PAIR_ONCE(name, mechanism, wanted_rule, object)                                                 \
  void name##_run(bool defect);                                                                         \
  const suite::add name##_added{{#name, mechanism, simt::rule::wanted_rule, object, name##_run, true}}; \
  void name##_run(bool defect)

}  // namespace suite
