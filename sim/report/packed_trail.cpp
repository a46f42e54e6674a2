// SPDX-License-Identifier: Apache-2.0
// Numbers are written seven bits at a time, the lowest first; a byte of 128 or more is followed by another one.
#include "packed_trail.hpp"

#include "report_data.hpp"

namespace simt::data {
namespace {

class number_writer {
 public:
  void operator()(std::uint64_t n) {
    for (; n >= 128; n >>= 7) bytes.push_back(static_cast<std::uint8_t>(n | 128));
    bytes.push_back(static_cast<std::uint8_t>(n));
  }
  void signed_number(std::int64_t n) { (*this)(static_cast<std::uint64_t>(n + 1)); }  // -1: nobody
  void choice(const step_choice& c) {
    signed_number(c.thread);
    (*this)(c.place), (*this)(c.places), (*this)(static_cast<std::uint64_t>(c.kind)), (*this)(c.pc), (*this)(c.older);
    (*this)(c.source);
  }
  std::vector<std::uint8_t> bytes;
};

class number_reader {
 public:
  explicit number_reader(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  bool is_done() const { return at_ == bytes_.size(); }
  std::uint64_t operator()() {
    std::uint64_t n = 0;
    for (int shift = 0;; shift += 7) {
      if (at_ == bytes_.size() || shift > 63) throw report_error("a trail in it is not whole");
      const std::uint8_t byte = bytes_[at_++];
      n |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return n;
    }
  }
  std::int64_t signed_number() { return static_cast<std::int64_t>((*this)()) - 1; }
  // How many things of at least one byte follow.
  std::uint64_t count() {
    const std::uint64_t n = (*this)();
    if (n > bytes_.size() - at_) throw report_error("a trail in it is not whole");
    return n;
  }
  std::string text() {
    const auto n = static_cast<std::ptrdiff_t>(count());
    const auto from = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += static_cast<std::size_t>(n);
    return {from, from + n};
  }
  step_choice choice() {
    step_choice c;
    c.thread = signed_number();
    c.place = (*this)();
    c.places = static_cast<std::uint32_t>((*this)());
    const std::uint64_t kind = (*this)();
    if (kind > static_cast<std::uint64_t>(step_kind::fence)) throw report_error("a trail in it has an unknown step");
    c.kind = static_cast<step_kind>(kind);
    c.pc = (*this)();
    c.older = static_cast<std::uint32_t>((*this)());
    c.source = (*this)();
    return c;
  }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::uint8_t> packed(const std::vector<explored_step>& trail) {
  number_writer w;
  for (const explored_step& s : trail) {
    w.choice(s.did);
    w.signed_number(s.running), w.signed_number(s.usual), w.signed_number(s.line);
    w(s.file.size());
    w.bytes.insert(w.bytes.end(), s.file.begin(), s.file.end());
    w(s.value), w.signed_number(s.later.thread), w(s.later.value);
    w.signed_number(s.scope), w.signed_number(s.later.scope);
    w(s.others.size());
    for (const step_choice& c : s.others) w.choice(c);
  }
  return std::move(w.bytes);
}

std::vector<explored_step> unpacked(const std::vector<std::uint8_t>& bytes) {
  std::vector<explored_step> out;
  number_reader r(bytes);
  while (!r.is_done()) {
    explored_step& s = out.emplace_back();
    s.did = r.choice();
    s.running = r.signed_number(), s.usual = r.signed_number(), s.line = static_cast<int>(r.signed_number());
    s.file = r.text();
    s.value = r(), s.later.thread = r.signed_number(), s.later.value = r();
    s.scope = static_cast<int>(r.signed_number()), s.later.scope = static_cast<int>(r.signed_number());
    s.others.resize(r.count());
    for (step_choice& c : s.others) c = r.choice();
  }
  return out;
}

}  // namespace simt::data
