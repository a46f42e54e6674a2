// SPDX-License-Identifier: Apache-2.0
// A fence keeps its own thread's accesses in order: where one thread tells for its block, a barrier has to bring it
// what the others have done.
#include "phrase_flag.hpp"

#include <fmt/format.h>

#include "phrase_order.hpp"

namespace simt {

std::string why_unfenced(const way_to_flag& way, const std::string& flag) {
  if (!way.no_barrier || way.fence == 0)
    return "neither an atomic operation nor volatile keeps other accesses in order";
  return way.of_writer
             ? fmt::format(
                   "the fence at line {} is its own thread's, and the one that goes on to {} waits for no other",
                   way.fence, flag)
             : fmt::format(
                   "the fence at line {} keeps in order what its thread knows of, and no barrier has told it of "
                   "the others",
                   way.fence);
}

std::string mended_way(const way_to_flag& way, const std::string& write, const std::string& flag, dialect d) {
  const std::string_view fence = word_of("fence", d), sync = word_of("sync", d);
  if (way.no_barrier && way.fence != 0)
    return way.of_writer ? fmt::format(
                               "put {} behind the fence at line {} and in front of {}, where one thread tells "
                               "for all",
                               sync, way.fence, flag)
                         : fmt::format("put {} between {} and the fence at line {}", sync, write, way.fence);
  const std::string reader =
      fmt::format("; and behind reading the flag, {}, too, where no barrier comes before the read", fence);
  if (way.no_barrier)
    return fmt::format("put {}, and {} behind it, between {} and {}", fence, sync, write, flag) + reader;
  return fmt::format("put {} between {} and {}", fence, write, flag) + reader;
}

}  // namespace simt
