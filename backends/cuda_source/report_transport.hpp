// SPDX-License-Identifier: Apache-2.0
// A run's report from the program that ran to the tool that shows it: bytes through a pipe, same build on both sides.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <sim/report/run_report.hpp>

namespace simt::cuda_source {

// One walk over the data serves both directions.
class report_writer {
 public:
  std::string bytes;
  template <class T>
  void operator()(T& v) {
    if constexpr (std::is_same_v<T, std::string>) {
      count(v.size());
      bytes += v;
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
  }
  template <class T, class F>
  void list(std::vector<T>& v, F&& each) {
    count(v.size());
    for (T& e : v) each(e);
  }

 private:
  void count(std::uint64_t n) { bytes.append(reinterpret_cast<const char*>(&n), sizeof n); }
};

class report_reader {
 public:
  explicit report_reader(std::string b) : bytes_(std::move(b)) {}
  template <class T>
  void operator()(T& v) {
    if constexpr (std::is_same_v<T, std::string>) {
      const std::size_t n = count();
      v.assign(take(n), n);
    } else {
      std::memcpy(&v, take(sizeof v), sizeof v);
    }
  }
  template <class T, class F>
  void list(std::vector<T>& v, F&& each) {
    v.resize(count());
    for (T& e : v) each(e);
  }

 private:
  std::size_t count() {
    std::uint64_t n = 0;
    std::memcpy(&n, take(sizeof n), sizeof n);
    if (n > bytes_.size()) throw std::runtime_error("the program's report is cut short");
    return n;
  }
  const char* take(std::size_t n) {
    if (at_ + n > bytes_.size()) throw std::runtime_error("the program's report is cut short");
    const char* p = bytes_.data() + at_;
    at_ += n;
    return p;
  }
  std::string bytes_;
  std::size_t at_ = 0;
};

template <class A>
void transport(A& a, access& x) {
  a(x.kind), a(x.pc), a(x.file), a(x.line), a(x.function), a(x.path), a(x.agent), a(x.block), a(x.thread), a(x.value), a(x.state);
  a.list(x.stack, [&](stack_frame& f) { a(f.function), a(f.file), a(f.line); });
}
template <class A>
void transport(A& a, finding& f) {
  a(f.rule), a(f.severity), a(f.message), a(f.why), a(f.fix), a(f.space), a(f.object), a(f.type), a(f.bytes), a(f.count), a(f.kernel);
  a.list(f.index, [&](std::int64_t& i) { a(i); });
  a.list(f.accesses, [&](access& x) { transport(a, x); });
}
template <class A>
void transport(A& a, run_report& r) {
  a(r.verdict), a(r.error), a(r.workers);
  a.list(r.launches, [&](launch_record& l) { a(l.kernel), a(l.grid), a(l.block), a(l.shared_bytes), a(l.milliseconds); });
  a.list(r.findings, [&](finding& f) { transport(a, f); });
  a.list(r.notes, [&](std::string& n) { a(n); });
}

}  // namespace simt::cuda_source
