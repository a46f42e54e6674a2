// SPDX-License-Identifier: Apache-2.0
#include "phrase_index.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace simt {
namespace {

// Of an index in front of the object that 32 bits have made negative: the element that was meant; negative: none.
std::int64_t element_before_overflow(const finding& f) {
  constexpr std::int64_t kWrapped = std::int64_t{1} << 32;
  if (f.cause != cause::outside_before || f.index.size() != 1 || f.bytes <= 0) return -1;
  const std::int64_t meant = f.index[0] + kWrapped;
  return meant >= 0 && meant < f.facts.size / f.bytes ? meant : -1;
}

}  // namespace

std::string mended_index(const finding& f, dialect d) {
  if (const std::int64_t meant = element_before_overflow(f); meant >= 0)
    return fmt::format("compute the index in 64 bits: 32 bits make {} of {}, which is an element of {}", f.index[0],
                       meant, f.object.empty() ? "it" : f.object);
  std::string text = "check the index against the number of elements";
  if (d != dialect::cuda || f.object.empty() || f.cause != cause::outside_behind) return text;
  text += fmt::format(", or make {} larger", f.object);
  if (f.space == memory_space::local) return text;
  return text + (f.space == memory_space::shared
                     ? ": of `extern __shared__` memory the third argument of <<<>>> gives the bytes"
                     : ": cudaMalloc and cudaMemcpy count bytes");
}

std::string mended_free(const finding& f) {
  return f.object == "device heap" ? "free it behind its last use, and behind a barrier where other threads use it"
                                   : "free the buffer after the last kernel that uses it, and synchronise first";
}

std::string mended_bytes(const finding& f, dialect d) {
  if (f.space != memory_space::shared) return "check the index against the number of elements";
  return d == dialect::cuda ? "give the launch the bytes of its dynamic shared memory, the third argument of <<<>>>, "
                              "and check the index against them"
                            : "check the index against the number of elements, and the bytes of dynamic shared memory "
                              "that the launch asks for";
}

}  // namespace simt
