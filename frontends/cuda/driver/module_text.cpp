// SPDX-License-Identifier: Apache-2.0
#include "module_text.hpp"

#include <filesystem>

#include "frontends/cuda/module_format.hpp"

namespace simt::cuda_source {

std::string module_text(const build_request& request, const std::vector<std::string>& typed,
                        const std::string& object) {
  module_file m;
  m.folder = std::filesystem::current_path().string();
  m.words = typed;
  (request.check ? m.check_object : m.sim_object) = object;
  return write_module(m);
}

}  // namespace simt::cuda_source
