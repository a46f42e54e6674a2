// SPDX-License-Identifier: Apache-2.0
#include "precompiled_headers.hpp"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "cache.hpp"

namespace simt::cuda_source {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKept = 10;  // two variants of a few sets of options and of headers on top

void remove_all_but_the_last_used(const fs::path& cache) {
  std::error_code none;
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  for (const fs::directory_entry& e : fs::directory_iterator(cache, none))
    if (e.path().extension() == ".pch") found.emplace_back(e.last_write_time(none), e.path());
  std::ranges::sort(found, std::greater{});
  for (std::size_t i = kKept; i < found.size(); ++i) {
    fs::remove(found[i].second, none);
    fs::remove(found[i].second.replace_extension(".ii"), none);
  }
}

}  // namespace

std::string precompiled_headers(const tool_chain& t, const build_request& r, std::string_view headers,
                                const fs::path& cache, const std::string& after) {
  if (t.plugin.empty() || headers.empty()) return {};
  digest name;
  for (const std::string& word : words_of_headers(t, r)) name.add(word);
  name.add(file_stamp(t.compiler));
  name.add(after);
  name.add(headers);
  const fs::path place = cache / ("headers-" + name.text() + ".pch");
  const fs::path text = fs::path(place).replace_extension(".ii");
  const auto is_there = [&] { return fs::exists(place) && fs::exists(text); };
  if (!is_there()) {
    const work_folder work(place.string() + ".work");
    if (!is_there()) {                  // nobody was faster
      write_whole_file(text, headers);  // the compiler looks for it whenever it reads the other
      const fs::path made = work.path / "headers";
      if (run_precompiler(t, r, text.string(), made.string(), after).exit_code != 0) return {};
      std::error_code failed;
      fs::rename(made, place, failed);
      if (failed) return {};
      remove_all_but_the_last_used(cache);
    }
  }
  std::error_code none;
  fs::last_write_time(place, fs::file_time_type::clock::now(), none);
  return place.string();
}

bool failed_by_headers(const process_result& compilation) {
  const auto says = [&](std::string_view words) { return compilation.errors.find(words) != std::string::npos; };
  return compilation.exit_code != 0 && (says("PCH") || says("AST file") || says("precompiled"));
}

}  // namespace simt::cuda_source
