// SPDX-License-Identifier: Apache-2.0
// Video instructions of inline PTX: their operands may be a part of a register (`%1.b3`, `%2.h0`).
#include <algorithm>
#include <array>

#include "ptx_translator.hpp"

namespace simt::cuda_source {

using words = std::vector<std::string>;

namespace {

// Of simt_cuda::ptx::video, and behind the v of the instruction.
constexpr std::array<std::string_view, 9> kOperations{"add", "sub", "absdiff", "min", "max",
                                                      "shl", "shr", "set",     "avrg"};

// Takes the part off an operand; empty where it cannot be read.
std::string part_behind(std::string& o) {
  const std::size_t dot = o.rfind('.');
  if (dot == std::string::npos) return "{}";
  const std::string part = o.substr(dot + 1);
  if (part.size() != 2 || (part[0] != 'b' && part[0] != 'h') || part[1] < '0' || part[1] > (part[0] == 'b' ? '3' : '1'))
    return {};
  o.erase(dot);
  const int bits = part[0] == 'b' ? 8 : 16;
  return "{" + std::to_string((part[1] - '0') * bits) + ", " + std::to_string(bits) + "}";
}
bool take_sign(std::string& o) {
  const bool negative = o.starts_with("-") && o.find('%') == 1;
  if (negative) o.erase(0, 1);
  return negative;
}

}  // namespace

std::string asm_translator::pack_narrow(const std::string& opcode, const std::string& to,
                                        const std::vector<std::string>& given) {
  for (const char* bits : {"2", "4", "8", "16"}) {
    const bool is_signed = to == std::string("s") + bits;
    if (!is_signed && to != std::string("u") + bits) continue;
    const std::string before =
        given.size() > 3 ? "::simt_cuda::ptx::as<std::uint32_t>(" + operand(given[3]) + ")" : "0";
    return assign(given[0], "::simt_cuda::ptx::pack_narrow<" + std::string(bits) +
                                (is_signed ? ", true>(" : ", false>(") + operand(given[1]) + ", " + operand(given[2]) +
                                ", " + before + ")");
  }
  return fail("'" + opcode + "' is not supported");
}

bool asm_translator::is_video(const std::string& name) {
  if (name == "vmad") return true;
  std::string_view rest = name;
  if (!rest.starts_with("v")) return false;
  rest.remove_prefix(1);
  const bool in_lanes = rest.ends_with('2') || rest.ends_with('4');
  if (in_lanes) rest.remove_suffix(1);
  if (in_lanes ? rest.starts_with("sh") : rest == "avrg") return false;
  return std::find(kOperations.begin(), kOperations.end(), rest) != kOperations.end();
}

std::string asm_translator::video(const std::string& opcode, const std::string& name, const words& types,
                                  const std::string& rest, words given) {
  const std::string no = "'" + opcode + "' is not supported";
  const char lanes = name.back();
  const bool in_lanes = lanes == '2' || lanes == '4', set = name.starts_with("vset");
  if (types.size() != (set ? 2u : 3u) || given.size() < 3 || given.size() > 4) return fail(no);
  std::string parameters;  // a comparison gives 0 or 1, of no type
  if (set) parameters = "::std::uint32_t";
  for (const std::string& t : types) parameters += (parameters.empty() ? "" : ", ") + cpp_type(t);
  const std::string how = "(\"" + rest + ".\", ";
  const bool mad = name == "vmad", minus_a = mad && take_sign(given[1]), minus_b = mad && take_sign(given[2]),
             minus_c = mad && given.size() == 4 && take_sign(given[3]);
  const std::string c = given.size() == 4 ? operand(given[3]) : "0";
  const auto of_all = [&](const std::string& what) { return "::simt_cuda::ptx::video::" + what; };
  const std::string what = name.substr(1, name.size() - (in_lanes ? 2 : 1));
  if (in_lanes)
    return assign(given[0], "::simt_cuda::ptx::video_lanes<" + std::string(1, lanes) + ", " + parameters + ">" + how +
                                of_all(what) + ", " + operand(given[1]) + ", " + operand(given[2]) + ", " + c + ")");
  const std::string to = part_behind(given[0]), in_a = part_behind(given[1]), in_b = part_behind(given[2]);
  if (to.empty() || in_a.empty() || in_b.empty()) return fail(no);
  const std::string operands =
      ", " + operand(given[1]) + ", " + in_a + ", " + operand(given[2]) + ", " + in_b + ", " + c + ")";
  if (mad)
    return assign(given[0], "::simt_cuda::ptx::video_mad<" + parameters + ">" + how +
                                (minus_a != minus_b ? "true" : "false") + ", " + (minus_c ? "true" : "false") +
                                operands);
  return assign(given[0],
                "::simt_cuda::ptx::video_scalar<" + parameters + ">" + how + of_all(what) + ", " + to + operands);
}

}  // namespace simt::cuda_source
