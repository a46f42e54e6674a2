// SPDX-License-Identifier: Apache-2.0
// The stable names of rules, severities, kinds and verdicts (docs/cli.md) and of what else a report's data holds.
#include "names.hpp"

#include <algorithm>

#include "run_report.hpp"

namespace simt {
namespace {

using fixed_name = std::string_view;

constexpr fixed_name kRules[] = {
    "race-global",
    "race-shared",
    "race-scope",
    "missing-fence",
    "noncoherent-read",
    "out-of-bounds",
    "uninitialized-read",
    "misaligned",
    "use-after-free",
    "invalid-free",
    "leak",
    "constant-write",
    "host-memory",
    "barrier-divergence",
    "barrier-early-exit",
    "warp-mask",
    "deadlock",
    "hang",
    "stack-overflow",
    "device-trap",
    "device-exception",
    "division-by-zero",
    "unwritten-output",
    "unchecked-error",
    "nondeterministic-output",
};
static_assert(std::size(kRules) == rule_count, "every rule has a name, in the order of the enum");
constexpr fixed_name kSeverities[] = {"error", "warning", "note"};
constexpr fixed_name kAccessKinds[] = {"read", "write", "atomic"};
constexpr fixed_name kSpaces[] = {"global", "shared", "local", "host"};
constexpr fixed_name kActors[] = {"thread", "host", "stream"};
constexpr fixed_name kWorks[] = {"kernel", "async_copy", "copy_to_device", "copy_to_host", "copy_on_device",
                                 "fill",   "host_code",  "callback",       "allocation",   "release"};
static_assert(std::size(kWorks) == static_cast<std::size_t>(work::release) + 1);
constexpr fixed_name kDeeds[] = {"none",
                                 "waits_here",
                                 "waits_at_block_barrier",
                                 "waits_at_cluster_barrier",
                                 "waits_at_grid_barrier",
                                 "waits_at_named_barrier",
                                 "waits_for_lanes",
                                 "spins",
                                 "exited",
                                 "takes_part",
                                 "reads_value",
                                 "loads",
                                 "allocated",
                                 "failed",
                                 "frees",
                                 "accesses",
                                 "divides",
                                 "ran_out_of_stack",
                                 "trapped",
                                 "last_seen",
                                 "goes_round",
                                 "tells",
                                 "is_told",
                                 "still_ran"};
static_assert(std::size(kDeeds) == static_cast<std::size_t>(deed::still_ran) + 1);
constexpr fixed_name kScopes[] = {"thread", "block", "cluster", "device", "system"};
constexpr fixed_name kWarpOperations[] = {"sync", "shuffle", "vote", "match", "reduction"};
constexpr fixed_name kVerdicts[] = {"clean", "mismatch", "findings", "crash", "unavailable", "error", "interrupted"};
constexpr fixed_name kStatuses[] = {"match", "mismatch", "unchecked"};
constexpr fixed_name kDialects[] = {"api", "cuda"};
constexpr fixed_name kStepKinds[] = {"read", "write", "update", "fence"};
constexpr fixed_name kPlotForms[] = {"none", "bars", "heatmap", "line"};

template <class E>
std::string_view name_in(E e) {
  const auto all = names_of<E>();
  return all[std::min(static_cast<std::size_t>(e), all.size() - 1)];
}

}  // namespace

template <>
std::span<const fixed_name> names_of<rule>() {
  return kRules;
}
template <>
std::span<const fixed_name> names_of<severity>() {
  return kSeverities;
}
template <>
std::span<const fixed_name> names_of<access_kind>() {
  return kAccessKinds;
}
template <>
std::span<const fixed_name> names_of<memory_space>() {
  return kSpaces;
}
template <>
std::span<const fixed_name> names_of<actor>() {
  return kActors;
}
template <>
std::span<const fixed_name> names_of<work>() {
  return kWorks;
}
template <>
std::span<const fixed_name> names_of<deed>() {
  return kDeeds;
}
template <>
std::span<const fixed_name> names_of<sync_scope>() {
  return kScopes;
}
template <>
std::span<const fixed_name> names_of<warp_operation>() {
  return kWarpOperations;
}
template <>
std::span<const fixed_name> names_of<verdict>() {
  return kVerdicts;
}
template <>
std::span<const fixed_name> names_of<result_status>() {
  return kStatuses;
}
template <>
std::span<const fixed_name> names_of<dialect>() {
  return kDialects;
}
template <>
std::span<const fixed_name> names_of<step_kind>() {
  return kStepKinds;
}
template <>
std::span<const fixed_name> names_of<plot_data::form>() {
  return kPlotForms;
}

std::string_view name(rule r) { return name_in(r); }
std::string_view name(severity s) { return name_in(s); }
std::string_view name(access_kind k) { return name_in(k); }
std::string_view name(memory_space s) { return name_in(s); }
std::string_view name(actor a) { return name_in(a); }
std::string_view name(work w) { return name_in(w); }
std::string_view name(deed d) { return name_in(d); }
std::string_view name(sync_scope s) { return name_in(s); }
std::string_view name(warp_operation o) { return name_in(o); }
std::string_view name(verdict v) { return name_in(v); }
std::string_view name(result_status s) { return name_in(s); }
std::string_view name(dialect d) { return name_in(d); }

std::optional<rule> rule_from_name(std::string_view name) {
  const auto* found = std::ranges::find(kRules, name);
  if (found == std::end(kRules)) return std::nullopt;
  return static_cast<rule>(found - kRules);
}

}  // namespace simt
