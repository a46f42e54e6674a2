// SPDX-License-Identifier: Apache-2.0
// Inline PTX of whole warps and blocks: matrices, barriers, votes and shuffles, fences, asynchronous copies.
#include <algorithm>
#include <cstdio>

#include "ptx_translator.hpp"

namespace simt::cuda_source {

using words = std::vector<std::string>;

std::string asm_translator::registers(const std::string& name, const std::string& list) {
  const std::string l = trimmed(list);
  std::string text;
  for (const std::string& r : split_operands(l.starts_with("{") ? l.substr(1, l.size() - 2) : l, ','))
    text += (text.empty() ? "" : ", ") + std::string("::simt_cuda::ptx::bits_of(") + operand(r) + ")";
  return "const ::std::uint64_t simt_" + name + "[] = {" + text + "};";
}

std::string asm_translator::matrices(const std::string& opcode, const std::string& name, const words& parts,
                                     const words& given) {
  const auto has = [&](std::string_view w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
  const std::string no = "'" + opcode + "' is not supported";
  const auto pieces_of = [&](std::string list) {
    list = trimmed(list);
    return split_operands(list.starts_with("{") ? list.substr(1, list.size() - 2) : list, ',');
  };
  if (!has("sync")) return fail(no);
  if (name != "mma") {
    if (!has("m8n8") || !has("b16") || given.size() != 2) return fail(no);
    const bool load = name == "ldmatrix";
    const words pieces = pieces_of(given[load ? 0 : 1]);
    const std::string count = std::to_string(pieces.size()), transposed = has("trans") ? "true" : "false";
    if (!has("x" + count)) return fail(no);
    const std::string row = address(given[load ? 1 : 0], has("shared") || has("shared::cta") ? "shared" : "");
    if (!load)
      return registers("v", given[1]) + " ::simt_cuda::ptx::store_matrices(" + row + ", simt_v, " + transposed + ");";
    std::string text = "::std::uint32_t simt_v[" + count + "]; ::simt_cuda::ptx::load_matrices(" + row + ", simt_v, " +
                       transposed + ");";
    for (std::size_t i = 0; i < pieces.size(); ++i) text += assign(pieces[i], "simt_v[" + std::to_string(i) + "]");
    return text;
  }
  int m = 0, n = 0, k = 0;
  words types;
  for (const std::string& p : parts) {
    std::sscanf(p.c_str(), "m%dn%dk%d", &m, &n, &k);
    for (const char* t : {"f16", "bf16", "tf32", "f32", "f64", "s32", "s8", "u8", "e4m3", "e5m2"})
      if (p == t) types.push_back("::simt_cuda::ptx::mma_" + p);
  }
  if (m * n * k == 0 || n != 8 || types.size() != 4 || given.size() != 4 ||
      (m * k == 32 && types[0] != "::simt_cuda::ptx::mma_f64") || has("sp") || !has("row") || !has("col"))
    return fail(no);
  const words to = pieces_of(given[0]);
  std::string text = registers("a", given[1]) + registers("b", given[2]) + registers("c", given[3]) +
                     " ::std::uint64_t simt_d[" + std::to_string(to.size()) + "]; ::simt_cuda::ptx::mma<" +
                     std::to_string(m) + ", " + std::to_string(n) + ", " + std::to_string(k);
  for (const std::string& t : types) text += ", " + t;
  text += ">(simt_d, simt_a, simt_b, simt_c);";
  for (std::size_t i = 0; i < to.size(); ++i)
    text += assign(to[i], "::simt_cuda::ptx::register_of<" + types[0] + ">(simt_d[" + std::to_string(i) + "])");
  return text;
}

std::string asm_translator::shared_in(const words& parts) {
  const auto has = [&](std::string_view w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
  return has("shared::cluster") ? "cluster" : has("shared") || has("shared::cta") ? "shared" : "";
}

std::string asm_translator::block_barrier(const std::string& opcode, const words& parts, const words& given) {
  const auto has = [&](std::string_view w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
  const auto number = [&](std::size_t i) { return "static_cast<unsigned>(" + operand(given[i]) + ")"; };
  if (has("cluster")) return has("arrive") ? "__cluster_barrier_arrive();" : "__cluster_barrier_wait();";
  if (has("sync") && given.size() == 1 && given[0] == "0") return "__syncthreads();";
  if (has("sync") && (given.size() == 1 || given.size() == 2))
    return "::simt_cuda::sync_named(" + number(0) + ", " + (given.size() == 2 ? number(1) : "0") + ");";
  if (has("arrive") && given.size() == 2) return "::simt_cuda::arrive_at_named(" + number(0) + ", " + number(1) + ");";
  if (has("red") && given.size() == 3 && given[1] == "0")
    for (const auto& [word, function] : {std::pair{"popc", "count"}, {"and", "and"}, {"or", "or"}})
      if (has(word)) return assign(given[0], std::string("__syncthreads_") + function + "(" + operand(given[2]) + ")");
  return fail("'" + opcode + "' is not supported");
}

std::string asm_translator::barrier_object(const std::string& opcode, const words& parts, const words& given) {
  const std::string how = "\"" + opcode + ".\", ", space = shared_in(parts);
  const std::string& what = parts.size() > 1 ? parts[1] : opcode;
  const bool expecting = std::find(parts.begin(), parts.end(), "expect_tx") != parts.end();
  const std::string ours = "::simt_cuda::ptx::mbarrier_";
  if (what == "init" && given.size() == 2)
    return ours + "init(" + address(given[0], space) + ", " + operand(given[1]) + ");";
  if (what == "inval" && given.size() == 1) return ";";
  if ((what == "arrive" || what == "arrive_drop") && !given.empty()) {
    const bool keeps = !given[0].starts_with("[");  // the state before
    const words rest(given.begin() + (keeps ? 1 : 0), given.end());
    if (rest.empty() || rest.size() > 2 || (expecting && rest.size() != 2))
      return fail("'" + opcode + "' is not supported");
    const std::string call = ours + (expecting ? "arrive_expecting(" : "arrive(") + how + address(rest[0], space) +
                             ", " + (rest.size() == 2 ? operand(rest[1]) : "1") + ")";
    return keeps ? assign(given[0], call) : call + ";";
  }
  if ((what == "expect_tx" || what == "complete_tx") && given.size() == 2)
    return ours + "change(" + how + address(given[0], space) + ", 0, 0, " + (what == "expect_tx" ? "" : "-") +
           "static_cast<::std::int64_t>(" + operand(given[1]) + "));";
  if ((what == "test_wait" || what == "try_wait") && (given.size() == 3 || given.size() == 4))
    return assign(given[0], ours + "wait(" + how + address(given[1], space) + ", " + operand(given[2]) + ")");
  if (what == "pending_count" && given.size() == 2)
    return assign(given[0],
                  "static_cast<::std::uint32_t>(::simt_cuda::ptx::state_in(" + operand(given[1]) + ").pending)");
  return fail("'" + opcode + "' is not supported");
}

std::string asm_translator::tile_copy(const std::string& opcode, const words& parts, const words& given) {
  const auto has = [&](std::string_view w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
  const bool to_shared = has("mbarrier::complete_tx::bytes");
  const std::size_t map = to_shared ? 1 : 0, count = to_shared ? 3 : 2;
  if (has("im2col") || has("multicast::cluster") || has("reduce") || given.size() != count)
    return fail("'" + opcode + "' is not supported");
  // [map, {coordinates}]
  const words tensor = split_operands(trimmed(given[map]).substr(1, given[map].size() - 2), ',');
  if (tensor.size() != 2 || !tensor[1].starts_with("{")) return fail("cannot read the tensor '" + given[map] + "'");
  std::string coordinates;
  for (const std::string& c : split_operands(tensor[1].substr(1, tensor[1].size() - 2), ','))
    coordinates += (coordinates.empty() ? "" : ", ") + ("static_cast<int>(" + operand(c)) + ")";
  return "const int simt_first[] = {" + coordinates + "}; ::simt_cuda::ptx::copy_tile" +
         (to_shared ? "_to_shared(" : "_from_shared(") + address(given[1 - map], "shared") + ", " +
         address("[" + tensor[0] + "]", "global") + ", simt_first" +
         (to_shared ? ", " + address(given[2], "shared") : "") + ");";
}

std::string asm_translator::special(const std::string& opcode, const std::string& name, const words& parts,
                                    const words& types, const words& given) {
  const auto has = [&](std::string_view w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
  const auto value = [&](std::size_t i) { return operand(given[i]); };
  if ((name == "bar" || name == "barrier") && has("warp"))
    return "__syncwarp(static_cast<unsigned>(" + (given.empty() ? "" : value(0)) + "));";
  if (name == "bar" || name == "barrier") return block_barrier(opcode, parts, given);
  if (name == "mbarrier") return barrier_object(opcode, parts, given);
  if (name == "elect" && given.size() == 2) {
    const words to = split_operands(given[0], '|');
    const std::string lane = "__builtin_ctz(static_cast<unsigned>(" + value(1) + "))";
    return assign(to[0], lane) +
           (to.size() > 1 ? " " + operand(to[1]) + " = ::simt_cuda::self().lane() == " + lane + ";" : "");
  }
  if (name == "membar" || name == "fence") {
    if (has("proxy"))
      return has("async") || has("tensormap::generic") ? ";" : fail("'" + opcode + "' is not supported");
    if (has("mbarrier_init")) return "__threadfence_cluster();";
    return has("cta") ? "__threadfence_block();" : has("sys") ? "__threadfence_system();" : "__threadfence();";
  }
  if (name == "cp" && has("async")) {
    if (has("commit_group")) return "::simt_cuda::commit_copies();";
    if (has("wait_all")) return "::simt_cuda::commit_copies(); ::simt_cuda::wait_for_copies(0);";
    if (has("mbarrier") && has("arrive") && given.size() == 1)
      return "::simt_cuda::ptx::copies_arrive(\"" + opcode + ".\", " + address(given[0], shared_in(parts)) + ");";
    if (has("tensor")) return tile_copy(opcode, parts, given);
    if (has("bulk") && has("mbarrier::complete_tx::bytes") && given.size() == 4)
      return "::simt_cuda::ptx::copy_bulk(" + address(given[0], "cluster") + ", " +
             address(given[1], has("shared::cta") && has("shared::cluster") ? "shared" : "global") + ", " + value(2) +
             ", " + address(given[3], "cluster") + ");";
    if (has("bulk") && has("bulk_group") && given.size() == 3)
      return "::simt_cuda::ptx::copy_bulk(" + address(given[0], "global") + ", " + address(given[1], "shared") + ", " +
             value(2) + ");";
    if (has("wait_group") && given.size() == 1)
      return "::simt_cuda::wait_for_copies(static_cast<unsigned>(" + value(0) + "));";
    if (!has("bulk") && !has("mbarrier") && (given.size() == 3 || given.size() == 4))
      return "::simt_cuda::ptx::copy_async(" + address(given[0], "shared") + ", " + address(given[1], "global") + ", " +
             value(2) + ", " + (given.size() == 4 ? value(3) : value(2)) + ");";
  }
  if (name == "shfl" && has("sync") && given.size() == 5) {
    const words to = split_operands(given[0], '|');
    const std::string mode = has("up") ? "'u'" : has("down") ? "'d'" : has("bfly") ? "'b'" : "'i'";
    return "{ bool simt_in = false; ::simt_cuda::ptx::assign(" + operand(to[0]) + ", ::simt_cuda::ptx::shuffle(" +
           mode + ", " + value(1) + ", " + value(2) + ", " + value(3) + ", " + value(4) + ", simt_in));" +
           (to.size() > 1 ? " " + operand(to[1]) + " = simt_in;" : "") + " }";
  }
  if (name == "vote" && has("sync") && given.size() == 3) {
    const char* f = has("ballot") ? "__ballot_sync" : has("all") ? "__all_sync" : has("any") ? "__any_sync" : nullptr;
    if (f != nullptr)
      return assign(given[0], std::string(f) + "(static_cast<unsigned>(" + value(2) + "), " + value(1) + ")");
  }
  if (name == "match" && has("any") && given.size() == 3)
    return assign(given[0], "__match_any_sync(static_cast<unsigned>(" + value(2) + "), ::simt_cuda::ptx::as<" +
                                type(types) + ">(" + value(1) + "))");
  if (name == "redux" && given.size() == 3)
    for (const char* op : {"add", "min", "max", "and", "or", "xor"})
      if (has(op))
        return assign(given[0], std::string("__reduce_") + op + "_sync(static_cast<unsigned>(" + value(2) +
                                    "), ::simt_cuda::ptx::as<" + (has("s32") ? "int" : "unsigned") + ">(" + value(1) +
                                    "))");
  return fail("'" + opcode + "' is not supported");
}

}  // namespace simt::cuda_source
