// SPDX-License-Identifier: Apache-2.0
// Says what this compiler of CUDA source cannot do, at the user's line and before the host compiler stumbles over it.
#include <algorithm>
#include <set>

#include "refusals.hpp"
#include "sim/report/nearest_name.hpp"
#include "translate.hpp"

namespace simt::cuda_source {
namespace {

std::string_view library_prefix(std::string_view name) {
  for (const std::string_view p :
       {"cuda", "curand", "cublas", "cufft", "cusparse", "cusolver", "cudnn", "nccl", "nvrtc", "nvml", "nvtx", "cu"})
    if (name.starts_with(p) && name.size() > p.size() && name[p.size()] >= 'A' && name[p.size()] <= 'Z') return p;
  return {};
}

// The call of the same library whose name is close enough to be meant, or nothing.
std::string nearest_call(const unit& u, std::string_view name, std::string_view prefix) {
  std::vector<std::string> calls;
  for (const std::string_view k : u.known)
    if (library_prefix(k) == prefix && !k.ends_with("_t") && !k.starts_with("cudaError")) calls.emplace_back(k);
  std::ranges::sort(calls);
  return nearest_name(name, calls, std::max<std::size_t>(2, name.size() / 6));
}

// The header of a library that the source does not include: nothing of it is known.
std::string missing_header(const unit& u, std::string_view prefix) {
  static constexpr std::pair<std::string_view, const char*> kHeaders[] = {
      {"curand", "curand.h"},       {"cublas", "cublas_v2.h"}, {"cufft", "cufft.h"}, {"cusparse", "cusparse.h"},
      {"cusolver", "cusolverDn.h"}, {"nvrtc", "nvrtc.h"},      {"nvml", "nvml.h"}};
  for (const auto& [library, header] : kHeaders)
    if (library == prefix &&
        std::ranges::none_of(u.known, [&](std::string_view k) { return library_prefix(k) == prefix; }))
      return header;
  return {};
}

// `type (name)(` or `type (*name)(`: a function whose name a macro may have, or a pointer to one.
bool is_declared_in_parentheses(const unit& u, position p) {
  const position close = u.next(p);
  if (!u.at(close).is(")") || !u.at(u.next(close)).is("(")) return false;
  position open = u.previous(p);
  if (open != kNowhere && u.at(open).is("*")) open = u.previous(open);
  if (open == kNowhere || !u.at(open).is("(") || u.previous(open) == kNowhere) return false;
  const token& type = u.at(u.previous(open));
  return type.is("*") || type.is(">") || (type.is_name() && !type.is("return"));
}

// A name that the user's own text declares somewhere: `type name(`, or a parameter, variable or #define'd leftover.
bool is_declared_by_user(const unit& u, std::string_view name) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is_name() || u.tokens[p].text != name) continue;
    const position before = u.previous(p);
    if (before == kNowhere) continue;
    if (is_declared_in_parentheses(u, p)) return true;
    const token& b = u.at(before);
    const bool type =
        (b.is_name() && !b.is("return") && !b.is("else") && !b.is("case") && !b.is("throw") && !b.is("do")) ||
        b.is("*") || b.is("&") || b.is(">");
    if (type && !((b.is("*") || b.is("&")) && !u.at(u.next(p)).is("("))) return true;
  }
  return false;
}

}  // namespace

void find_unsupported(unit& u) {
  std::set<std::string_view> said;
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    const std::string_view prefix = library_prefix(t.text);
    if (prefix.empty() || !u.at(u.next(p)).is("(") || u.known.count(t.text)) continue;
    const position before = u.previous(p);
    if (before != kNowhere && (u.at(before).is(".") || u.at(before).is("->"))) continue;
    if (is_declared_by_user(u, t.text) || !said.insert(t.text).second) continue;
    if (const std::string header = missing_header(u, prefix); !header.empty()) {
      u.complain(p, "'" + std::string(t.text) + "' is declared in <" + header + ">, which is not included here");
      u.messages.back().of_name = true;
      continue;
    }
    const char* const why = reason_for_refusing(t.text);
    const std::string near = why == nullptr ? nearest_call(u, t.text, prefix) : std::string();
    u.complain(p, "'" + std::string(t.text) + "' is not supported" + (why == nullptr ? "" : std::string(": ") + why) +
                      (near.empty() ? "" : "; the nearest that is: '" + near + "'") +
                      " (docs/cuda_source.md lists all)");
    u.messages.back().of_name = true;
  }
}

}  // namespace simt::cuda_source
