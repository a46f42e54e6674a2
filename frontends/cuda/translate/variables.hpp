// SPDX-License-Identifier: Apache-2.0
// What becomes of variables that are declared for the device, piece by piece (variables.cpp says which goes where).
#pragma once

#include <string>

#include "declarations.hpp"

namespace simt::cuda_source {

// `__shared__ T x[n];`, `local`: in a function of the device.
void shared_variable(unit& u, const variable_declaration& d, bool local);

// A variable in shared or device memory is no automatic one: lambdas and local classes use it without a capture. Here
// it is a reference, which they would capture by value, or could not use; so each function within the block behind `p`
// that names it begins with `declaration`.
void declare_in_inner_functions(unit& u, position p, const std::string& name, const std::string& declaration);

// `decltype(x)` of a variable that is declared at `p`, up to the end of its block: without the reference that stands
// for the variable.
void name_plain_types(unit& u, position p, const std::string& name);

// Whether the text from `first` to `end` names the variable, not a member of that name, nor of a namespace.
bool mentions(const unit& u, position first, position end, std::string_view name);

// Whether the block that begins at `open` declares something of that name itself, not within blocks in it.
bool declares(const unit& u, position open, std::string_view name);

}  // namespace simt::cuda_source
