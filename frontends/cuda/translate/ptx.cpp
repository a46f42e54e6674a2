// SPDX-License-Identifier: Apache-2.0
// Inline PTX as C++: each instruction of an asm statement becomes a call into simt_cuda/ptx.hpp.
//
// Registers become variables of the statement, labels its own labels. This file finds instructions and operands; what
// an instruction does is in ptx.hpp. Only names that stand there are called (unit::known has them), for an unknown
// instruction must be a message at the user's line and not one about our header.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <set>

#include "ptx_translator.hpp"
#include "refusals.hpp"
#include "translate.hpp"

namespace simt::cuda_source {

using words = std::vector<std::string>;

std::string asm_translator::run() {
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
      labels_.insert(label(trimmed(line)));
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
  for (const std::string& to : jumped_to_)
    if (!labels_.contains(label(to))) return fail("there is no label '" + to + "' in this statement");
  for (const std::string& name : labels_) hoisted_ = "__label__ " + name + "; " + hoisted_;
  return out;
}

std::string asm_translator::fail(const std::string& what) {
  if (error.empty()) error = what;
  return {};
}

std::string asm_translator::constant(const std::string& o) const {
  const auto hex = [&](std::size_t digits) {
    return o.size() == digits + 2 && std::all_of(o.begin() + 2, o.end(), [](char c) {
             return std::isxdigit(static_cast<unsigned char>(c)) != 0;
           });
  };
  if (o[0] == '0' && o.size() > 1 && (o[1] == 'f' || o[1] == 'F') && hex(8))
    return "__builtin_bit_cast(float, 0x" + o.substr(2) + "u)";
  if (o[0] == '0' && o.size() > 1 && (o[1] == 'd' || o[1] == 'D') && hex(16))
    return "__builtin_bit_cast(double, 0x" + o.substr(2) + "ull)";
  if (o.back() == ')') return "static_cast<long long>(" + o + ")";
  return "(" + o + (o.find_first_of(".eE") == std::string::npos || o.starts_with("0x") ? "ll" : "") + ")";
}

namespace {
// An expression of numbers that begins with no digit: `~7`, `(3 + 4) * 2`. The PTX ISA, "Constant Expressions": it
// means what it does in C.
bool is_expression(std::string_view o) {
  return (o[0] == '~' || o[0] == '(' || o[0] == '!') && o.find_first_of("0123456789") != o.npos &&
         o.find_first_not_of("0123456789abcdefABCDEFxXuU ()+-*/%&|^~!<>=?:") == o.npos;
}
}  // namespace

std::string asm_translator::operand(std::string o) {
  o = trimmed(o);
  if (o.empty()) return fail("an operand is missing");
  if (is_expression(o)) return constant(o);
  if (o == "_") return "::simt_cuda::ptx::sink()";
  if (o == "WARP_SZ") return "(32ll)";
  if (o[0] == '%' && o.size() > 1 && std::isdigit(static_cast<unsigned char>(o[1]))) {
    const std::size_t n = static_cast<std::size_t>(std::stoi(o.substr(1)));
    if (n >= s_.operands.size()) return fail("there is no operand '" + o + "'");
    return s_.operands[n];
  }
  if (o[0] == '%') {
    std::string name = o.substr(1);
    if (declared_.contains(name)) return operand(name);  // `.reg .pred %p;`
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

std::string asm_translator::address(std::string o, const std::string& space) {
  o = trimmed(o);
  if (o.size() < 2 || o.front() != '[' || o.back() != ']') return fail("cannot read the address '" + o + "'");
  o = trimmed(o.substr(1, o.size() - 2));
  std::string offset = "0";
  if (const std::size_t at = o.find('+'); at != std::string::npos) {
    offset = trimmed(o.substr(at + 1));
    o = trimmed(o.substr(0, at));
    if (offset[0] == '%') offset = operand(offset);
  }
  if (space == "cluster") return "::simt_cuda::ptx::cluster_address(" + operand(o) + ", " + offset + ")";
  return "::simt_cuda::ptx::address(" + operand(o) + ", " + offset + ", " + (space == "shared" ? "true" : "false") +
         ")";
}

std::string asm_translator::declaration(const std::string& line) {
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
    const std::string given = name;
    std::replace(name.begin(), name.end(), '$', '_');
    const std::size_t open = name.find('<');  // r<4> are r0 to r3
    if (open == std::string::npos) {
      declared_.insert(given);
      out += type + " simt_reg_" + name + " = {};";
      continue;
    }
    int count = 0;
    if (std::sscanf(name.c_str() + open, "<%d>", &count) != 1 || count < 1 || count > 4096)
      return fail("cannot read '" + line + "'");
    for (int k = 0; k < count; ++k) {
      declared_.insert(given.substr(0, open) + std::to_string(k));
      out += type + " simt_reg_" + name.substr(0, open) + std::to_string(k) + " = {};";
    }
  }
  return out;
}

bool asm_translator::is_label(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
  });
}

std::string asm_translator::label(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return "simt_label_" + name;
}

std::string asm_translator::instruction(std::string line) {
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
  words given = end == std::string::npos ? words{} : split_operands(line.substr(end), ',');
  // The last operand of a hint to the cache is a policy.
  if (!given.empty() && std::find(parts.begin(), parts.end(), "L2::cache_hint") != parts.end()) given.pop_back();
  const bool right = error.empty();
  const std::string body = call(opcode, parts, given);
  if (right && !error.empty() && error.find(opcode) == std::string::npos) error += " in '" + line + "'";
  return guard + "{" + body + "}";
}

std::string asm_translator::call(const std::string& opcode, const words& parts, const words& given) {
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
  if (std::find(joined.begin(), joined.end(), name) != joined.end()) return special(opcode, name, parts, types, given);
  if (name == "mma" || name == "ldmatrix" || name == "stmatrix") return matrices(opcode, name, parts, given);
  const bool in_cluster = std::find(parts.begin(), parts.end(), "shared::cluster") != parts.end();
  if (name == "st" && rest.find(".async") != std::string::npos) return store_async(opcode, types, rest, given);
  if (name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red")
    return memory(opcode, name, types, rest, in_cluster ? "cluster" : space, given);
  if (name == "mapa" && given.size() == 3)  // the same place in another block: by window, or as a pointer
    return assign(given[0], std::string("::simt_cuda::ptx::map_") + (in_cluster ? "window(" : "pointer(") +
                                operand(given[1]) + ", " + operand(given[2]) + ")");
  if (name == "isspacep" && given.size() == 2 && (space == "shared" || space == "global")) {
    const std::string shared = "__isShared(::simt_cuda::ptx::as<const void*>(" + operand(given[1]) + "))";
    return assign(given[0], space == "shared" ? shared + " != 0" : shared + " == 0");
  }
  if (name == "bra" && given.size() == 1 && (rest.empty() || rest == ".uni") && types.empty()) {
    jumped_to_.push_back(given[0]);
    return "goto " + label(given[0]) + ";";
  }
  if ((name == "exit" || name == "ret") && given.empty() && types.empty() && (rest.empty() || rest == ".uni")) {
    ends_thread_ = true;
    return "for (::simt_cuda::leave_kernel();;) return;";
  }
  if (name == "bra" || name == "call" || name == "ret") return fail("'" + opcode + "' is not supported");
  if (name == "cvta") {
    if (given.size() != 2) return fail("cannot read '" + opcode + "'");
    const bool to = rest.find(".to") != std::string::npos;
    if (space != "shared") return assign(given[0], operand(given[1]));
    return assign(given[0], to ? "::simt_cuda::ptx::to_shared(" + operand(given[1]) + ")"
                               : "::simt_cuda::ptx::from_shared(" + operand(given[1]) + ")");
  }
  if (name == "cvt" && parts.size() > 3 && parts[1] == "pack" && parts[2] == "sat" && given.size() >= 3)
    return pack_narrow(opcode, parts[3], given);
  if (is_video(name)) return video(opcode, name, types, rest, given);
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
  if (name == "trap" || name == "brkpt" || name == "nanosleep" || name == "pmevent" || name == "prefetch" ||
      name == "prefetchu" || name == "discard" || name == "applypriority")
    first = 0;
  if (first == 1 && !given.empty() && types.empty())
    return fail("'" + opcode + "' is not supported");  // of which type?
  for (std::size_t i = first; i < given.size(); ++i)
    arguments +=
        (arguments.empty() ? "" : ", ") + (given[i].starts_with("[") ? address(given[i], space) : operand(given[i]));
  std::string invoke = "::simt_cuda::ptx::simt_ptx_" + name + "<" + (types.empty() ? "void" : cpp_type(types[0])) +
                       (types.size() > 1 ? ", " + cpp_type(types[1]) : "") + ">(\"" + rest + ".\"" +
                       (arguments.empty() ? "" : ", ") + arguments + ")";
  const bool takes = name == "addc" || name == "subc" || name == "madc", gives = rest.find(".cc") != std::string::npos;
  if (takes || gives) {
    if (takes && !uses_carry_) takes_carry_ = true;
    uses_carry_ = true;
    gives_carry_ = gives;
    invoke = "::simt_cuda::ptx::with_carry<" + type(types) + ">(simt_carry, \"" + opcode + ".\", " + arguments + ")";
  }
  if (given.empty() || first == 0) return invoke + ";";
  const words to = split_operands(given[0], '|');
  if (to.size() == 1) return assign(given[0], invoke);
  if (name != "setp" || to.size() != 2) return fail("'" + opcode + "' with several results is not supported");
  return "const auto simt_both = ::simt_cuda::ptx::both_results<" + type(types) + ">(\"" + rest + ".\", " + arguments +
         ");" + assign(to[0], "simt_both.first") + assign(to[1], "simt_both.second");
}

std::string asm_translator::assign(const std::string& target, const std::string& value) {
  return "::simt_cuda::ptx::assign(" + operand(target) + ", " + value + ");";
}

std::string asm_translator::memory(const std::string& opcode, const std::string& name, const words& types,
                                   const std::string& rest, const std::string& space, const words& given) {
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
    return "::simt_cuda::ptx::update_each<" + t + ">(" + how + ", " + address(given[0], space) + list(given[1]) + ");";
  if (name == "atom" && (given.size() == 3 || given.size() == 4))
    return assign(given[0], "::simt_cuda::ptx::update<" + t + ">(" + how + ", " + address(given[1], space) +
                                list(given[2]) + (given.size() == 4 ? list(given[3]) : "") + ")");
  return fail("'" + opcode + "' is not supported");
}

// To the shared memory of a block of the cluster, whose barrier object counts the bytes.
std::string asm_translator::store_async(const std::string& opcode, const words& types, const std::string& rest,
                                        const words& given) {
  if (types.size() != 1 || given.size() != 3) return fail("'" + opcode + "' is not supported");
  const words values =
      given[1].starts_with("{") ? split_operands(given[1].substr(1, given[1].size() - 2), ',') : words{given[1]};
  return memory(opcode, "st", types, rest, "cluster", {given[0], given[1]}) +
         " ::simt_cuda::ptx::mbarrier_change(\".cluster.\", " + address(given[2], "cluster") +
         ", 0, 0, -static_cast<::std::int64_t>(" + std::to_string(values.size()) + " * sizeof(" + type(types) + ")));";
}

namespace {

// A statement that has become C++.
struct translated_asm {
  position first = kNowhere, last = kNowhere;
  const device_function* function = nullptr;
  std::string text, hoisted;
  bool uses_carry = false, takes_carry = false, gives_carry = false;
};

// What cannot be done is an error of the compiler where it is left in a program: headers for all GPUs have instructions
// that the program never uses (decision 153). The driver says it in these words (driver/refused_instructions.hpp).
std::string refused(const std::string& what) {
  const std::string text =
      std::string(kRefusedPtx) + what + "; write it in CUDA C++ (docs/cuda_source.md lists the instructions that are)";
  std::string literal;
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return "struct simt_refused { [[noreturn, gnu::noinline, gnu::error(\"" + literal +
         "\")]] static void here() { asm volatile(\"\"); __builtin_unreachable(); } }; simt_refused::here();";
}

// Whether a statement before `s` in its function leaves the carry that it begins with.
bool finds_carry(const std::vector<translated_asm>& all, const translated_asm& s) {
  for (const translated_asm& before : all) {
    if (before.first >= s.first) return false;
    if (before.function == s.function && before.gives_carry) return true;
  }
  return false;
}

// The carry of a statement is a variable of the statement, or of its function where statements hand it on. Where a
// function begins with the carry of another one (`add_cc(a, b)`, `addc(c, d)`), it is the thread's.
void place_carry(unit& u, std::vector<translated_asm>& all) {
  bool crosses = false;
  for (const translated_asm& s : all) crosses |= s.takes_carry && !finds_carry(all, s);
  std::set<const device_function*> sharing;
  for (const translated_asm& s : all)
    if (s.takes_carry && !crosses) sharing.insert(s.function);
  for (const device_function* f : sharing) u.edits[f->body].after += " [[maybe_unused]] bool simt_carry = false;";
  for (translated_asm& s : all) {
    if (!s.uses_carry || sharing.contains(s.function)) continue;
    const bool is_shared = crosses && (s.takes_carry || s.gives_carry);
    s.hoisted += is_shared ? "bool simt_carry = ::simt_cuda::carry_of_thread();" : "bool simt_carry = false;";
    if (is_shared && s.gives_carry) s.text += " ::simt_cuda::leave_carry(simt_carry);";
  }
}

}  // namespace

void translate_ptx(unit& u) {
  std::vector<translated_asm> all;
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name() || !(t.is("asm") || t.is("__asm__") || t.is("__asm")) || u.function_at(p) == nullptr) continue;
    const auto statement = read_asm_statement(u, p);
    if (!statement) continue;
    asm_translator translated(*statement, u.known);
    const std::string text = translated.run();
    if (translated.ends_thread_ && translated.error.empty() && !is_statement_of_kernel(u, p))
      translated.error = "'exit' ends a thread only where it stands in a kernel itself, in no function and lambda";
    if (!translated.error.empty())
      all.push_back({p, statement->end, u.function_at(p), refused(translated.error), "", false, false, false});
    else
      all.push_back({p, statement->end, u.function_at(p), text, translated.hoisted_, translated.uses_carry_,
                     translated.takes_carry_, translated.gives_carry_});
    p = statement->end;
  }
  place_carry(u, all);
  for (const translated_asm& s : all) {
    const std::string before = u.edits[s.first].before;  // it may be the body of a loop that others see waiting
    for (position q = s.first; q <= s.last; q = u.next(q)) {
      u.edits[q] = {};
      u.replace(q, "");
    }
    u.replace(s.first, before + "({ " + s.hoisted + s.text + " })");
  }
}

}  // namespace simt::cuda_source
