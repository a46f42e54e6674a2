// SPDX-License-Identifier: Apache-2.0
// Launch limits, checked before anything runs.
#include <string_view>

#include <backends/api/device_limits.hpp>
#include <simt/launch_each.hpp>
#include <simt/occupancy.hpp>

namespace simt {

namespace {
std::string text(const dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}
[[noreturn]] void refuse(std::string_view kernel, const std::string& why, error_kind kind = error_kind::launch_limit) {
  throw error(kind, "launch of " + std::string(kernel) + " refused: " + why);
}
}  // namespace

void check_launch(const launch_config& c, const device_properties& d, std::string_view kernel) {
  const auto axes = [&](const char* what, const dim3& asked, const dim3& limit) {
    if (asked.x < 1 || asked.y < 1 || asked.z < 1)
      refuse(kernel, std::string(what) + " " + text(asked) + " has a size below 1; every axis must be at least 1");
    if (asked.x > limit.x || asked.y > limit.y || asked.z > limit.z)
      refuse(kernel, std::string(what) + " " + text(asked) + " is over the device's limit " + text(limit));
  };
  // The number of threads first: it is what people get wrong, whatever the axes.
  if (c.block.x >= 1 && c.block.y >= 1 && c.block.z >= 1) {
    __int128 threads = static_cast<__int128>(c.block.x) * c.block.y * c.block.z;
    if (threads > d.max_threads_per_block)
      refuse(kernel, "block " + text(c.block) + " has " +
                         (threads > (std::int64_t{1} << 62) ? std::string("far too many")
                                                            : std::to_string(static_cast<std::int64_t>(threads))) +
                         " threads, the limit is " + std::to_string(d.max_threads_per_block) +
                         " threads a block; use smaller blocks and a larger grid");
  }
  axes("block", c.block, d.max_block);
  axes("grid", c.grid, d.max_grid);
  if (c.shared_bytes < 0)
    refuse(kernel, "dynamic shared memory of " + std::to_string(c.shared_bytes) + " bytes is negative");
  if (c.shared_bytes > d.shared_bytes_per_block_optin)
    refuse(kernel, "dynamic shared memory of " + std::to_string(c.shared_bytes) + " bytes is over the limit of " +
                       std::to_string(d.shared_bytes_per_block_optin) + " bytes a block");
  const std::int64_t cluster = c.cluster.volume();
  if (cluster != 1) {
    axes("cluster", c.cluster, dim3(d.max_cluster_blocks, d.max_cluster_blocks, d.max_cluster_blocks));
    if (cluster > d.max_cluster_blocks)
      refuse(kernel, "cluster " + text(c.cluster) + " has " + std::to_string(cluster) + " blocks, the limit is " +
                         std::to_string(d.max_cluster_blocks));
    if (c.grid.x % c.cluster.x || c.grid.y % c.cluster.y || c.grid.z % c.cluster.z)
      refuse(kernel, "grid " + text(c.grid) + " is no multiple of cluster " + text(c.cluster));
  }
  if (c.cooperative) {
    const std::int64_t resident =
        std::int64_t{resident_blocks(d, c.block.volume(), c.shared_bytes)} * d.multiprocessors;
    if (c.grid.volume() > resident)
      throw grid_too_large("launch of " + std::string(kernel) +
                           " refused: a cooperative grid must be resident at once: " + std::to_string(c.grid.volume()) +
                           " blocks were asked for, " + std::to_string(resident) + " of " +
                           std::to_string(c.block.volume()) + " threads fit the device");
  }
}

void check_launch(const launch_config& c, std::string_view kernel) {
  check_launch(c, backend::limits(backend::selected_device()), kernel);
}

void check_launch_each(const launch_config& c, std::int64_t n, std::string_view element) {
  check_launch(c, element);
  const auto refuse_use = [&](const std::string& why) { refuse(element, why, error_kind::invalid_argument); };
  if (n < 0) refuse_use("there are " + std::to_string(n) + " elements; the number of elements must be at least 0");
  if (c.grid.y != 1 || c.grid.z != 1 || c.block.y != 1 || c.block.z != 1)
    refuse_use("grid " + text(c.grid) + " of blocks " + text(c.block) +
               " has more than one dimension; elements are counted in one: give grid and block an x alone");
  if (c.cooperative || c.cluster.volume() != 1)
    refuse_use(
        "elements must not wait for one another, as threads of cooperative grids and clusters do; use simt::launch");
}

}  // namespace simt
