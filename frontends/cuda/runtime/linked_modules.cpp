// SPDX-License-Identifier: Apache-2.0
#include "linked_modules.hpp"

#include <algorithm>

#include <simt/session.hpp>

namespace simt_cuda {
namespace {

using word_list = std::vector<std::string>;

std::string absolute(const std::string& path, const std::string& folder) {
  return path.empty() || path.front() == '/' || folder.empty() ? path : folder + "/" + path;
}
void add_once(word_list& all, const std::string& word) {
  if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(word);
}

// A module's command. Folders of headers may differ from module to module: all are looked through. The others say what
// the text means.
struct command_parts {
  word_list sources, folders, others;
};
command_parts parts_of(const simt::cuda_source::module_file& m) {
  command_parts p;
  for (const std::string& word : m.words) {
    if (word.starts_with("-I"))
      add_once(p.folders, "-I" + absolute(word.substr(2), m.folder));
    else if (!word.starts_with("-"))
      add_once(p.sources, absolute(word, m.folder));
    else if (!word.starts_with("-rdc") && !word.starts_with("--relocatable-device-code"))
      add_once(p.others, word);
  }
  std::sort(p.others.begin(), p.others.end());
  return p;
}

}  // namespace

compilation link_modules(const std::vector<simt::cuda_source::module_file>& parts) {
  compilation c;
  if (parts.size() == 1) {
    c.made = parts.front();
    c.exit_code = 0;
    return c;
  }
  word_list sources, folders, others;
  for (const simt::cuda_source::module_file& m : parts) {
    const command_parts p = parts_of(m);
    if (&m != &parts.front() && p.others != others) {
      c.messages = "modules that were compiled with different options are not linked by the simulator\n";
      return c;
    }
    others = p.others;
    for (const std::string& source : p.sources) add_once(sources, source);
    for (const std::string& folder : p.folders) add_once(folders, folder);
  }
  word_list all = sources;
  all.insert(all.end(), folders.begin(), folders.end());
  all.insert(all.end(), others.begin(), others.end());
  all.emplace_back("-rdc=true");
  c = compile_module(all, {});
  if (c.exit_code != 0) return c;
  // A shared object may lack what it uses until it is opened; linked device code may not.
  const std::string why =
      fault_of_object(simt::backend::variant() == "check" ? c.made.check_object : c.made.sim_object);
  if (!why.empty()) c.exit_code = 1, c.messages += why + "\n";
  return c;
}

}  // namespace simt_cuda
