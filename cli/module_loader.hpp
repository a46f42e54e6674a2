// SPDX-License-Identifier: Apache-2.0
// Finding and opening the module of kernels that a command needs.
//
// Modules are files lib<name>.<variant>.so. The tool's own are looked for in $SIMT_MODULE_DIR, then in ../lib/simt
// from the executable, then where the build put them. A user's is named with --module: the file of any variant, or
// the part of its path before ".<variant>.so"; the variant that is needed is opened.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "simt/module.hpp"

namespace simt::cli {

// Why there is no module; exit_code is 2 for a wrong path and 77 where this build or machine lacks the variant.
struct module_error : std::runtime_error {
  module_error(const std::string& what, int code) : std::runtime_error(what), exit_code(code) {}
  int exit_code;
};

// Modules stay loaded until the process ends: code of theirs may run in worker threads. Throws module_error.
module& open_module(const std::string& variant, const std::string& user_file);

// The path that open_module would take, for messages and tests; empty when no file is there.
std::string module_path(const std::string& variant, const std::string& user_file);

}  // namespace simt::cli
