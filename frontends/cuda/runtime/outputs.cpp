// SPDX-License-Identifier: Apache-2.0
#include "outputs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include <backends/sim/frontend.hpp>

namespace simt_cuda {
namespace {

bool collecting = false;
std::mutex outputs_mutex;
std::map<std::string, simt::output_summary>& outputs() {
  static auto* all = new std::map<std::string, simt::output_summary>;
  return *all;
}

constexpr std::uint64_t kBasis = 0xcbf29ce484222325, kPrime = 0x100000001b3;  // FNV-1a

template <class T>
void add_elements(simt::output_summary& o, const unsigned char* values, std::size_t bytes) {
  o.integral = std::is_integral_v<T>;
  o.count += static_cast<std::int64_t>(bytes / sizeof(T));
  o.head.clear();
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T v;
    std::memcpy(&v, values + at, sizeof v);
    o.sum += static_cast<double>(v);
    if (o.head.size() < 8) o.head.push_back(static_cast<double>(v));
  }
}

// Of other types only the bytes are compared.
struct element_type {
  std::string_view name;
  void (*add)(simt::output_summary&, const unsigned char*, std::size_t);
};
constexpr std::array kTypes = {element_type{"int", add_elements<int>},
                               element_type{"unsigned int", add_elements<unsigned>},
                               element_type{"float", add_elements<float>},
                               element_type{"double", add_elements<double>},
                               element_type{"long", add_elements<long>},
                               element_type{"unsigned long", add_elements<unsigned long>},
                               element_type{"long long", add_elements<long long>},
                               element_type{"unsigned long long", add_elements<unsigned long long>},
                               element_type{"short", add_elements<short>},
                               element_type{"unsigned short", add_elements<unsigned short>},
                               element_type{"char", add_elements<char>},
                               element_type{"signed char", add_elements<signed char>},
                               element_type{"unsigned char", add_elements<unsigned char>},
                               element_type{"bool", add_elements<unsigned char>}};

}  // namespace

void collect_outputs() { collecting = true; }

void note_output(const void* from, const void* values, std::size_t bytes) {
  if (!collecting) return;
  const simt::frontend::allocation_label label = simt::frontend::label_of(from);
  const std::lock_guard lock(outputs_mutex);
  simt::output_summary& o = outputs()[label.name.empty() ? "memory of the device" : label.name];
  const auto* const p = static_cast<const unsigned char*>(values);
  if (o.hash == 0) o.hash = kBasis;
  for (std::size_t i = 0; i < bytes; ++i) o.hash = (o.hash ^ p[i]) * kPrime;
  const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& t) { return t.name == label.type; });
  if (type != kTypes.end())
    type->add(o, p, bytes);
  else
    o.count += static_cast<std::int64_t>(bytes);
}

void note_output_before_free(const void* address) {
  if (!collecting) return;
  const simt::frontend::memory_facts facts = simt::frontend::facts_of(address);
  if (!facts.live || facts.home == simt::frontend::memory_home::device) return;
  if (const std::size_t bytes = simt::frontend::label_of(address).bytes; bytes != 0)
    note_output(address, address, bytes);
}

void note_outputs_left() {
  if (!collecting) return;
  for (const void* address : simt::frontend::live_host_visible()) note_output_before_free(address);
}

std::map<std::string, simt::output_summary> take_outputs() {
  const std::lock_guard lock(outputs_mutex);
  return std::move(outputs());
}

}  // namespace simt_cuda
