// SPDX-License-Identifier: Apache-2.0
// What a module tells the program that loads it: behind each kernel's definition, a variable that makes the kernel
// known (frontends/cuda/headers/simt_cuda/module_kernels.hpp). Kernels of templates are known where they are
// instantiated by name, or by a name expression of NVRTC.
#include "translate.hpp"

namespace simt::cuda_source {
namespace {

// The parameter list without default values, as part of a type.
std::string parameter_types(const unit& u, position open) {
  std::string text;
  const position end = u.mate(open);
  bool in_default = false;
  for (position p = u.next(open); p < end; p = u.next(p)) {
    const token& t = u.at(p);
    if (in_default) {
      if (t.is("<") && u.angle_end(p) != kNowhere)
        p = u.angle_end(p);
      else if ((t.is("(") || t.is("{") || t.is("[")) && u.mate(p) != kNowhere)
        p = u.mate(p);
      else if (t.is(","))
        in_default = false;
      if (in_default) continue;
    }
    if (t.is("=")) {
      in_default = true;
      continue;
    }
    const auto edit = u.edits.find(p);
    text += ' ';
    text += edit != u.edits.end() && edit->second.replacement ? *edit->second.replacement : std::string(t.text);
  }
  return text;
}

// Whether the declaration that holds `p` begins with `template <...>`, or is static: a static kernel has no name.
bool has_no_name_of_its_own(const unit& u, position p) {
  for (position q = u.previous(p); q != kNowhere; q = u.previous(q)) {
    const token& t = u.at(q);
    if (t.is(";") || t.is("{") || t.is("}")) return false;
    if (t.is("template") || t.is("static")) return true;
    if (t.is(")") && u.mate(q) != kNowhere) q = u.mate(q);
  }
  return false;
}

std::string entry(const unit& u, const std::string& name, position parameters, position at) {
  return " static const ::simt_cuda::module_kernel simt_module_kernel_" + std::to_string(at) +
         "(static_cast<void (*)(" + parameter_types(u, parameters) + ")>(" + name + "));";
}

}  // namespace

void register_kernels(unit& u) {
  for (const device_function& f : u.functions) {
    if (!f.global || f.name.empty() || f.parameters == kNowhere || u.mate(f.parameters) == kNowhere) continue;
    if (has_no_name_of_its_own(u, f.parameters)) continue;
    u.edits[u.mate(f.body)].after += entry(u, f.name, f.parameters, f.body);
  }
  // template __global__ void k<int>(int*);
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is("template") || u.at(u.next(p)).is("<")) continue;
    bool global = false;
    position name = kNowhere;
    for (position q = u.next(p); !u.at(q).is(";") && !u.at(q).is("{") && u.at(q).kind != token_kind::end;
         q = u.next(q)) {
      global |= u.at(q).is("__global__");
      if (u.at(q).is("<") && u.angle_end(q) != kNowhere) {
        name = u.previous(q);
        q = u.angle_end(q);
      } else if (u.at(q).is("(") && u.mate(q) != kNowhere) {
        const position open = q;
        q = u.mate(q);
        if (!global || name == kNowhere || !u.at(u.next(q)).is(";")) continue;
        std::string instance;
        for (position w = name; w < open; w = u.next(w)) instance += std::string(u.at(w).text) + " ";
        u.edits[u.next(q)].after += entry(u, instance, open, open);
      }
    }
  }
}

}  // namespace simt::cuda_source
