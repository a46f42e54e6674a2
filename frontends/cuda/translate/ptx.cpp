// SPDX-License-Identifier: Apache-2.0
// Inline PTX as C++: each instruction of an asm statement becomes a call into simt_cuda/ptx.hpp.
//
// Registers become variables of the statement, labels its own labels. This file finds
// instructions and operands; what an instruction does is in ptx.hpp. Only names that stand there are called
// (unit::known has them), for an unknown instruction must be a message at the user's line and not one about our header.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "ptx_statement.hpp"
#include "translate.hpp"

namespace simt::cuda_source {
namespace {

using words = std::vector<std::string>;

class asm_translator {
 public:
  asm_translator(const asm_statement& s, const std::unordered_set<std::string_view>& known) : s_(s), known_(known) {}
  std::string error;

  std::string run() {
    std::string text = s_.text, out;
    for (std::size_t at; (at = text.find("%%")) != std::string::npos;) text.replace(at, 2, "%");
    for (std::size_t at; (at = text.find("%=")) != std::string::npos;) text.replace(at, 2, "_");  // labels are local
    for (std::size_t at; (at = text.find("/*")) != std::string::npos;) {
      const std::size_t end = text.find("*/", at);
      text.erase(at, end == std::string::npos ? std::string::npos : end + 2 - at);
    }
    std::string line;
    int braces = 0;  // of operands
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      const bool begins = trimmed(line).empty();
      if ((c == '{' || c == '}') && begins && braces == 0) {
        out += c;
      } else if (c == ':' && text[i + 1] != ':' && is_label(trimmed(line))) {
        out += label(trimmed(line)) + ":; ";
        line.clear();
      } else if (c == ';') {
        out += instruction(trimmed(line));
        line.clear();
      } else {
        braces += c == '{' ? 1 : c == '}' ? -1 : 0;
        line += c;
      }
    }
    if (!trimmed(line).empty()) out += instruction(trimmed(line));
    return out;
  }

 private:
  std::string fail(const std::string& what) {
    if (error.empty()) error = what;
    return {};
  }
  bool knows(const std::string& name) const { return known_.count("simt_ptx_" + name) != 0; }

  std::string constant(const std::string& o) const {
    const auto hex = [&](std::size_t digits) {
      return o.size() == digits + 2 && std::all_of(o.begin() + 2, o.end(), [](char c) {
               return std::isxdigit(static_cast<unsigned char>(c)) != 0;
             });
    };
    if (o[0] == '0' && o.size() > 1 && (o[1] == 'f' || o[1] == 'F') && hex(8))
      return "__builtin_bit_cast(float, 0x" + o.substr(2) + "u)";
    if (o[0] == '0' && o.size() > 1 && (o[1] == 'd' || o[1] == 'D') && hex(16))
      return "__builtin_bit_cast(double, 0x" + o.substr(2) + "ull)";
    return "(" + o + (o.find_first_of(".eE") == std::string::npos || o.starts_with("0x") ? "ll" : "") + ")";
  }
  // An operand as a C++ expression of the register, or {}.
  std::string operand(std::string o) {
    o = trimmed(o);
    if (o.empty()) return fail("an operand is missing");
    if (o == "_") return "::simt_cuda::ptx::sink()";
    if (o[0] == '%' && o.size() > 1 && std::isdigit(static_cast<unsigned char>(o[1]))) {
      const std::size_t n = static_cast<std::size_t>(std::stoi(o.substr(1)));
      if (n >= s_.operands.size()) return fail("operand " + o + " does not exist");
      return s_.operands[n];
    }
    if (o[0] == '%') {
      std::string name = o.substr(1);
      std::replace(name.begin(), name.end(), '.', '_');
      if (!knows("sreg_" + name)) return fail("the special register '" + o + "' is not supported");
      return "::simt_cuda::ptx::simt_ptx_sreg_" + name + "()";
    }
    if (std::isdigit(static_cast<unsigned char>(o[0])) || o[0] == '-') return constant(o);
    if (o[0] == '!') return "!(" + operand(o.substr(1)) + ")";
    std::string name = o;
    for (const char c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '$')
        return fail("cannot read the operand '" + o + "'");
    std::replace(name.begin(), name.end(), '$', '_');
    return "simt_reg_" + name;
  }
  // [address + offset]
  std::string address(std::string o, const std::string& space) {
    o = trimmed(o);
    if (o.size() < 2 || o.front() != '[' || o.back() != ']') return fail("cannot read the address '" + o + "'");
    o = trimmed(o.substr(1, o.size() - 2));
    std::string offset = "0";
    if (const std::size_t at = o.find('+'); at != std::string::npos) {
      offset = trimmed(o.substr(at + 1));
      o = trimmed(o.substr(0, at));
      if (offset[0] == '%') offset = operand(offset);
    }
    return "::simt_cuda::ptx::address(" + operand(o) + ", " + offset + ", " + (space == "shared" ? "true" : "false") +
           ")";
  }

  std::string declaration(const std::string& line) {
    const words w = split_operands(line.substr(4), ',');  // behind .reg
    std::size_t at = w[0].find_first_not_of(" \t");
    const std::size_t end = w[0].find_first_of(" \t", at);
    if (end == std::string::npos) return fail("cannot read '" + line + "'");
    const std::string type = cpp_type(w[0].substr(at + 1, end - at - 1));
    if (type.empty()) return fail("registers of this type are not supported: '" + line + "'");
    std::string out;
    for (std::size_t i = 0; i < w.size(); ++i) {
      std::string name = trimmed(i == 0 ? w[0].substr(end) : w[i]);
      if (name.starts_with("%")) name.erase(0, 1);
      if (name.find('<') != std::string::npos) return fail("cannot read '" + line + "'");
      std::replace(name.begin(), name.end(), '$', '_');
      out += type + " simt_reg_" + name + " = {};";
    }
    return out;
  }

  static bool is_label(const std::string& name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
    });
  }
  // A label's name in C++, local to the statement.
  std::string label(std::string name) {
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    name = "simt_label_" + name;
    if (labels_.insert(name).second) hoisted_ = "__label__ " + name + "; " + hoisted_;
    return name;
  }

  std::string instruction(std::string line) {
    if (line.empty() || line.starts_with("//")) return {};
    if (line.starts_with(".reg")) return declaration(line);
    if (line.starts_with(".")) return fail("the directive '" + line + "' is not supported");
    std::string guard;
    if (line[0] == '@') {
      const std::size_t end = line.find_first_of(" \t");
      if (end == std::string::npos) return fail("cannot read '" + line + "'");
      guard = "if (" + operand(line.substr(1, end - 1)) + ") ";
      line = trimmed(line.substr(end));
    }
    const std::size_t end = line.find_first_of(" \t");
    const std::string opcode = line.substr(0, end);
    const words parts = split_operands(opcode, '.');
    const words given = end == std::string::npos ? words{} : split_operands(line.substr(end), ',');
    return guard + "{" + call(opcode, parts, given) + "}";
  }

  // Modifiers become template arguments: the base name, then types; order, scope and rounding as one string.
  std::string call(const std::string& opcode, const words& parts, const words& given) {
    words types;
    std::string name = parts[0], rest, space;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::string& w = parts[i];
      if (!cpp_type(w).empty())
        types.push_back(w);
      else if (w == "global" || w == "shared" || w == "local" || w == "const" || w.starts_with("shared::"))
        space = w.starts_with("shared") ? "shared" : space.empty() ? w : space;
      else
        rest += "." + w;
    }
    static const std::array<std::string_view, 11> joined{"bar",   "barrier", "cp",    "shfl",     "vote", "match",
                                                         "redux", "membar",  "fence", "mbarrier", "elect"};
    if (std::find(joined.begin(), joined.end(), name) != joined.end())
      return special(opcode, name, parts, types, given);
    if (name == "mma" || name == "ldmatrix" || name == "stmatrix") return matrices(opcode, name, parts, given);
    if (name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red")
      return memory(opcode, name, types, rest, space, given);
    if (name == "bra" && given.size() == 1) return "goto " + label(given[0]) + ";";
    if (name == "call" || name == "ret") return fail("'" + opcode + "' is not supported");
    if (name == "cvta") {
      if (given.size() != 2) return fail("cannot read '" + opcode + "'");
      const bool to = rest.find(".to") != std::string::npos;
      if (space != "shared") return assign(given[0], operand(given[1]));
      return assign(given[0], to ? "::simt_cuda::ptx::to_shared(" + operand(given[1]) + ")"
                                 : "::simt_cuda::ptx::from_shared(" + operand(given[1]) + ")");
    }
    if (!knows(name)) return fail("'" + opcode + "' is not supported");
    if (name == "mov" && given.size() == 2 && (given[0].starts_with("{") || given[1].starts_with("{"))) {
      const bool unpack = given[0].starts_with("{");
      const words pieces =
          split_operands(trimmed(given[unpack ? 0 : 1]).substr(1, trimmed(given[unpack ? 0 : 1]).size() - 2), ',');
      std::string list;
      for (const std::string& piece : pieces) list += ", " + operand(piece);
      return std::string("::simt_cuda::ptx::") + (unpack ? "unpack<" : "pack<") + type(types) + ">(" +
             operand(given[unpack ? 1 : 0]) + list + ");";
    }
    std::string arguments, targets;
    std::size_t first = 1;
    if (name == "setp") {  // d, or d|e of which only d is covered
      if (given.empty() || given[0].find('|') != std::string::npos)
        return fail("'" + opcode + "' with two results is not supported");
    }
    if (name == "trap" || name == "exit" || name == "brkpt" || name == "nanosleep" || name == "prefetch" ||
        name == "griddepcontrol" || name == "discard")
      first = 0;
    for (std::size_t i = first; i < given.size(); ++i)
      arguments +=
          (arguments.empty() ? "" : ", ") + (given[i].starts_with("[") ? address(given[i], space) : operand(given[i]));
    std::string invoke = "::simt_cuda::ptx::simt_ptx_" + name + "<" + (types.empty() ? "void" : cpp_type(types[0])) +
                         (types.size() > 1 ? ", " + cpp_type(types[1]) : "") + ">(\"" + rest + ".\"" +
                         (arguments.empty() ? "" : ", ") + arguments + ")";
    if (rest.find(".cc") != std::string::npos || name == "addc" || name == "subc" || name == "madc") {
      if ((name == "addc" || name == "subc" || name == "madc") && !carry_)
        return fail("the carry of another asm statement is not supported ('" + opcode + "')");
      std::string out = carry_ ? "" : "bool simt_carry = false;";
      carry_ = true;
      hoisted_ += out;
      invoke = "::simt_cuda::ptx::with_carry<" + type(types) + ">(simt_carry, \"" + opcode + ".\", " + arguments + ")";
    }
    if (given.empty() || first == 0) return invoke + ";";
    return assign(given[0], invoke);
  }
  std::string type(const words& types) const { return types.empty() ? "void" : cpp_type(types[0]); }
  std::string assign(const std::string& target, const std::string& value) {
    return "::simt_cuda::ptx::assign(" + operand(target) + ", " + value + ");";
  }

  std::string memory(const std::string& opcode, const std::string& name, const words& types, const std::string& rest,
                     const std::string& space, const words& given) {
    if (types.size() != 1 || given.empty()) return fail("'" + opcode + "' is not supported");
    const std::string t = cpp_type(types[0]), how = "\"" + rest + ".\"";
    const auto list = [&](const std::string& o) {
      const words pieces = o.starts_with("{") ? split_operands(o.substr(1, o.size() - 2), ',') : words{o};
      std::string text;
      for (const std::string& piece : pieces) text += ", " + operand(piece);
      return text;
    };
    if ((name == "ld" || name == "ldu") && given.size() == 2)
      return "::simt_cuda::ptx::load<" + t + ">(" + how + ", " + address(given[1], space) + list(given[0]) + ");";
    if (name == "st" && given.size() == 2)
      return "::simt_cuda::ptx::store<" + t + ">(" + how + ", " + address(given[0], space) + list(given[1]) + ");";
    if (name == "red" && given.size() == 2)
      return "::simt_cuda::ptx::update<" + t + ">(" + how + ", " + address(given[0], space) + list(given[1]) + ");";
    if (name == "atom" && (given.size() == 3 || given.size() == 4))
      return assign(given[0], "::simt_cuda::ptx::update<" + t + ">(" + how + ", " + address(given[1], space) +
                                  list(given[2]) + (given.size() == 4 ? list(given[3]) : "") + ")");
    return fail("'" + opcode + "' is not supported");
  }

  // An array of the registers of a list.
  std::string registers(const std::string& name, const std::string& list) {
    const std::string l = trimmed(list);
    std::string text;
    for (const std::string& r : split_operands(l.starts_with("{") ? l.substr(1, l.size() - 2) : l, ','))
      text += (text.empty() ? "" : ", ") + std::string("::simt_cuda::ptx::bits_of(") + operand(r) + ")";
    return "const ::std::uint64_t simt_" + name + "[] = {" + text + "};";
  }
  // mma.sync of shape mMnNkK, ldmatrix, stmatrix: of the whole warp.
  std::string matrices(const std::string& opcode, const std::string& name, const words& parts, const words& given) {
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
      std::string text = "::std::uint32_t simt_v[" + count + "]; ::simt_cuda::ptx::load_matrices(" + row +
                         ", simt_v, " + transposed + ");";
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
    if (m * n * k == 0 || n != 8 || types.size() != 4 || given.size() != 4 || has("sp") || !has("row") || !has("col"))
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

  static std::string shared_in(const words& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const std::string& p) { return p.starts_with("shared"); })
               ? "shared"
               : "";
  }
  // Barriers of the block, by number, and of the cluster.
  std::string block_barrier(const std::string& opcode, const words& parts, const words& given) {
    const auto has = [&](std::string_view w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
    const auto number = [&](std::size_t i) { return "static_cast<unsigned>(" + operand(given[i]) + ")"; };
    if (has("cluster")) return has("arrive") ? "__cluster_barrier_arrive();" : "__cluster_barrier_wait();";
    if (has("sync") && given.size() == 1 && given[0] == "0") return "__syncthreads();";
    if (has("sync") && (given.size() == 1 || given.size() == 2))
      return "::simt_cuda::sync_named(" + number(0) + ", " + (given.size() == 2 ? number(1) : "0") + ");";
    if (has("arrive") && given.size() == 2)
      return "::simt_cuda::arrive_at_named(" + number(0) + ", " + number(1) + ");";
    if (has("red") && given.size() == 3 && given[1] == "0")
      for (const auto& [word, function] : {std::pair{"popc", "count"}, {"and", "and"}, {"or", "or"}})
        if (has(word))
          return assign(given[0], std::string("__syncthreads_") + function + "(" + operand(given[2]) + ")");
    return fail("'" + opcode + "' is not supported");
  }
  // mbarrier objects: simt_cuda/ptx_barriers.hpp.
  std::string barrier_object(const std::string& opcode, const words& parts, const words& given) {
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

  // Barriers, fences, warp operations and asynchronous copies.
  std::string special(const std::string& opcode, const std::string& name, const words& parts, const words& types,
                      const words& given) {
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
      if (has("proxy")) return has("async") ? ";" : fail("'" + opcode + "' is not supported");
      if (has("mbarrier_init")) return "__threadfence_cluster();";
      return has("cta") ? "__threadfence_block();" : has("sys") ? "__threadfence_system();" : "__threadfence();";
    }
    if (name == "cp" && has("async")) {
      if (has("commit_group")) return "::simt_cuda::commit_copies();";
      if (has("wait_all")) return "::simt_cuda::commit_copies(); ::simt_cuda::wait_for_copies(0);";
      if (has("mbarrier") && has("arrive") && given.size() == 1)
        return "::simt_cuda::ptx::copies_arrive(\"" + opcode + ".\", " + address(given[0], shared_in(parts)) + ");";
      if (has("bulk") && has("mbarrier::complete_tx::bytes") && given.size() == 4)
        return "::simt_cuda::ptx::copy_bulk(" + address(given[0], "shared") + ", " + address(given[1], "global") +
               ", " + value(2) + ", " + address(given[3], "shared") + ");";
      if (has("bulk") && has("bulk_group") && !has("tensor") && given.size() == 3)
        return "::simt_cuda::ptx::copy_bulk(" + address(given[0], "global") + ", " + address(given[1], "shared") +
               ", " + value(2) + ");";
      if (has("wait_group") && given.size() == 1)
        return "::simt_cuda::wait_for_copies(static_cast<unsigned>(" + value(0) + "));";
      if (!has("bulk") && !has("mbarrier") && (given.size() == 3 || given.size() == 4))
        return "::simt_cuda::ptx::copy_async(" + address(given[0], "shared") + ", " + address(given[1], "global") +
               ", " + value(2) + ", " + (given.size() == 4 ? value(3) : value(2)) + ");";
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

 public:
  std::string hoisted_;  // declarations for the whole statement

 private:
  const asm_statement& s_;
  const std::unordered_set<std::string_view>& known_;
  bool carry_ = false;
  std::unordered_set<std::string> labels_;
};

}  // namespace

void translate_ptx(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name() || !(t.is("asm") || t.is("__asm__") || t.is("__asm")) || u.function_at(p) == nullptr) continue;
    const auto statement = read_asm_statement(u, p);
    if (!statement) continue;
    asm_translator translated(*statement, u.known);
    const std::string text = translated.run();
    if (!translated.error.empty()) {
      u.complain(p, "inline PTX: " + translated.error +
                        "; write it in CUDA C++ (docs/cuda_source.md lists the instructions that are)");
    } else {
      for (position q = p; q <= statement->end; q = u.next(q)) {
        u.edits[q] = {};
        u.replace(q, "");
      }
      u.replace(p, "({ " + translated.hoisted_ + text + " })");
    }
    p = statement->end;
  }
}

}  // namespace simt::cuda_source
