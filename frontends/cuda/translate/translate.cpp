// SPDX-License-Identifier: Apache-2.0
#include "translate.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace simt::cuda_source {

namespace {

std::string text_of(const unit& u, position first, position end) {
  std::string text;
  int line = -1;
  for (position p = first; p < end; ++p) {
    const token& t = u.tokens[p];
    if (t.kind == token_kind::opaque || t.kind == token_kind::directive) continue;
    const auto edit = u.edits.find(p);
    if (!t.space.empty() || t.line != line) text += ' ';
    line = t.line;
    text += edit != u.edits.end() && edit->second.replacement ? *edit->second.replacement : std::string(t.text);
  }
  return text;
}

// A function for host and device whose body asks for __CUDA_ARCH__ has two bodies: both are kept, and where it runs
// decides.
void merge_host_bodies(unit& u, const unit& host) {
  // Several on one line (a macro's, operators) are told apart by their order; a file may be included more than once.
  using place = std::tuple<std::string_view, std::string_view, int>;
  const auto place_of = [](const unit& v, const device_function& f) {
    const token& t = v.at(f.body);
    return place(v.files[static_cast<std::size_t>(t.file)], f.name, t.line);
  };
  std::map<place, std::vector<const device_function*>> there;
  std::map<place, std::size_t> seen;
  for (const device_function& g : host.functions) there[place_of(host, g)].push_back(&g);
  for (const device_function& f : u.functions) {
    const auto candidates = there.find(place_of(u, f));
    const std::size_t nth = seen[place_of(u, f)]++;
    if (!f.host || f.global || candidates == there.end() || nth >= candidates->second.size()) continue;
    const device_function* same = candidates->second[nth];
    const std::string other = text_of(host, same->body + 1, host.mate(same->body));
    if (other == text_of(u, f.body + 1, u.mate(f.body))) continue;
    u.edits[f.body].after += " if (::simt_cuda::on_device()) {";
    u.edits[u.mate(f.body)].before += "} else {" + other + " } ";
  }
}

// What sim/compile/execution_spaces.cpp reads of the whole text.
std::string notes_of(const unit& u, bool relaxed_constexpr) {
  std::string notes;
  const auto note = [&](const char* name, const char* word) {
    notes += mark_of_space(word) + " __attribute__((used)) static const char simt_note_" + name + " = 0;\n";
  };
  if (relaxed_constexpr) note("relaxed", "relaxed");
  if (u.lost_memory_word) note("variables", "variables?");
  return notes;
}

}  // namespace

translation translate(std::string_view preprocessed, std::string_view own_headers, std::string_view host_pass,
                      const translation_options& options) {
  translation r;
  const auto read = [&](unit& u) {
    if (options.in_c) rename_words_of_cpp(u);
    read_words_of_gnu(u);
    write_older_names(u);
    if (!options.newer_words) rename_newer_words(u);
    if (!options.newer_words && !options.rename_names_of_std) r.has_names_of_std = has_names_of_std(u);
    if (options.rename_names_of_std) rename_names_of_std(u);
    find_functions(u);
  };
  unit u(tokenize(preprocessed, own_headers, options.newlines_again));
  if (options.text_of) place_columns(u, options.text_of);
  u.linked = options.linked;
  u.in_module = options.module;
  u.marks_spaces = options.mark_spaces;
  u.host_sees_another = !host_pass.empty();
  read(u);
  if (!host_pass.empty()) {
    unit host(tokenize(host_pass, own_headers, options.newlines_again));
    read(host);
    merge_host_bodies(u, host);
  }
  if (u.marks_spaces) mark_functions_of_both(u);
  translate_variables(u);
  fill_variable_arrays(u);
  translate_launches(u);
  name_host_shadows(u);
  translate_bodies(u);
  if (options.module) register_kernels(u);
  translate_ptx(u);
  name_allocations(u);
  mark_ignored_results(u);
  find_unsupported(u);
  if (options.in_c) translate_c_source(u);
  std::stable_sort(u.messages.begin(), u.messages.end(),
                   [](const message& a, const message& b) { return a.line < b.line; });
  r.messages = u.messages;
  if (std::ranges::all_of(r.messages, &message::of_name)) r.text = render(u);
  if (u.marks_spaces && !r.text.empty()) r.text += notes_of(u, options.relaxed_constexpr);
  return r;
}

}  // namespace simt::cuda_source
