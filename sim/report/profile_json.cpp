// SPDX-License-Identifier: Apache-2.0
// simrun-profile/1, and the way back for --compare.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "occupancy.hpp"
#include "profile_files.hpp"
#include "profile_text.hpp"
#include "tool_version.hpp"

namespace simt {
namespace {

using json = nlohmann::ordered_json;
constexpr const char* kProfileSchema = "simrun-profile/1";

json to_json(const counters& c) {
  json out = json::object();
  for (std::size_t i = 0; i < kCounters; ++i) out[std::string(name(static_cast<counter>(i)))] = c.values[i];
  return out;
}

json to_json(const warp_sample& s) {
  return {{"operation", s.operation}, {"block", {s.block.x, s.block.y, s.block.z}},
          {"warp", s.warp},           {"bytes", s.bytes},
          {"cost", s.cost},           {"offsets", s.offsets}};
}

}  // namespace

std::string json_profile(const profile_document& p) {
  json out = {{"schema", kProfileSchema}, {"version", tool_version()}, {"program", p.program}, {"partial", p.partial}};
  out["kernels"] = json::array();
  for (const profiled_kernel& k : p.kernels) {
    json kernel = {{"kernel", k.kernel}, {"launches", k.launches}, {"partial", k.partial}};
    kernel["counters"] = to_json(k.counters);
    const occupancy_estimate e = occupancy_of(k);
    kernel["occupancy"] = {{"threads_per_block", k.threads_per_block},
                           {"static_shared_bytes", k.static_shared},
                           {"dynamic_shared_bytes", k.dynamic_shared},
                           {"blocks", e.blocks},
                           {"threads", e.threads},
                           {"limited_by", e.limited_by},
                           {"registers", k.registers < 0 ? json() : json(k.registers)},
                           {"stack_bytes", k.stack < 0 ? json() : json(k.stack)},
                           {"spilled_bytes", k.spilled < 0 ? json() : json(k.spilled)}};
    kernel["lines"] = json::array();
    for (const profiled_line& l : k.lines) {
      json line = {{"file", l.file}, {"line", l.line}, {"counters", to_json(l.counters)}};
      if (l.stands_in) line["stands_in"] = true;
      line["samples"] = json::array();
      for (const warp_sample& s : l.samples) line["samples"].push_back(to_json(s));
      kernel["lines"].push_back(std::move(line));
    }
    out["kernels"].push_back(std::move(kernel));
  }
  out["notes"] = p.notes;
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::vector<profiled_kernel> profile_from_json(std::string_view text) {
  const json in = json::parse(text, nullptr, false);
  if (in.is_discarded()) throw profile_error("it is not JSON; `simrun profile PROGRAM --json FILE` writes one");
  if (!in.is_object() || in.value("schema", json()) != kProfileSchema)
    throw profile_error(fmt::format("its \"schema\" is not \"{}\"", kProfileSchema));
  std::vector<profiled_kernel> kernels;
  try {
    for (const json& k : in.at("kernels")) {
      profiled_kernel& kernel = kernels.emplace_back();
      kernel.kernel = k.at("kernel");
      kernel.launches = k.at("launches");
      for (std::size_t i = 0; i < kCounters; ++i)
        kernel.counters.values[i] = k.at("counters").value(std::string(name(static_cast<counter>(i))), std::int64_t{0});
    }
  } catch (const json::exception& e) {
    throw profile_error(e.what());
  }
  return kernels;
}

}  // namespace simt
