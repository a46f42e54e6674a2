// SPDX-License-Identifier: Apache-2.0
#include "compiler_messages.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <map>
#include <regex>
#include <utility>

#include "frontends/cuda/translate/line_alignment.hpp"
#include "frontends/cuda/translate/refusals.hpp"
#include "sim/report/nearest_name.hpp"

namespace simt::cuda_source {
namespace {

constexpr std::size_t kMostLinesBehind = 16;  // of a statement that goes over several

template <class Use>
void for_each_line(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    use(text.substr(at, end - at));
    at = end + 1;
  }
}

constexpr std::string_view kByPlugin = "error: simt: ";  // in front of a place (sim/compile/execution_spaces.hpp)

// "12" of "12: more"; the text begins behind it then.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop == text.data() + text.size() || *stop != ':') return 0;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return number;
}

// "FILE:LINE:COLUMN: severity: text".
bool read_place(std::string_view line, compiler_message& m) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    std::string_view rest = line.substr(colon + 1);
    const int number = take_number(rest);
    if (number == 0 || colon == 0) continue;
    m.file = line.substr(0, colon);
    m.line = number;
    m.column = take_number(rest);
    for (const char* word : {"fatal error", "error", "warning", "note", "remark"}) {
      if (!rest.starts_with(std::string(" ") + word + ": ")) continue;
      m.severity = word;
      rest.remove_prefix(m.severity.size() + 2);
      break;
    }
    m.text = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
    return true;
  }
  return false;
}

bool only_counts(std::string_view line) {
  return line.ends_with(" generated.") && !line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) != 0;
}

// g++ says in which function: of kernels it would be a lambda's name.
bool names_function(std::string_view line) {
  return line.find(": In function ") != std::string_view::npos || line.find(": In lambda ") != std::string_view::npos;
}

constexpr std::string_view kNotThere =
    " is not supported by the simulator, or misspelt (docs/cuda_source.md lists all)";

// "; the nearest that is: 'X'", where the compiler names one that differs in a letter or two. Nearly all names of CUDA
// look alike, so one that is farther is no help.
std::string nearest_of(const std::string& name, const std::string& text) {
  static const std::regex meant("did you mean (?:'|\u2018)(\\w+)(?:'|\u2019)\\?");
  std::smatch m;
  if (!std::regex_search(text, m, meant) || edit_distance(name, m.str(1)) > std::max<std::size_t>(2, name.size() / 6))
    return {};
  return "; the nearest that is: '" + m.str(1) + "'";
}

// Where names of a library are declared; many a program that does not build has forgotten to include that.
std::string header_of(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kHeaders[] = {{"curandState", "curand_kernel.h"},
                                                                               {"curand", "curand.h"},
                                                                               {"cublas", "cublas_v2.h"},
                                                                               {"cufft", "cufft.h"},
                                                                               {"cusparse", "cusparse.h"},
                                                                               {"cusolverSp", "cusolverSp.h"},
                                                                               {"cusolverRf", "cusolverRf.h"},
                                                                               {"cusolver", "cusolverDn.h"},
                                                                               {"nvrtc", "nvrtc.h"},
                                                                               {"nvml", "nvml.h"}};
  if (name.starts_with("curandStatus")) return "curand.h";
  for (const auto& [begins, header] : kHeaders)
    if (name.starts_with(begins)) return std::string(header);
  return {};
}
std::string with_its_header(const std::string& name) {
  const std::string header = header_of(name);
  return header.empty() ? std::string() : "; it may lack #include <" + header + ">";
}

// "'X' is not supported: why".
std::string refused(const std::string& name, const char* why) {
  return "'" + name + "' is not supported: " + why + " (docs/cuda_source.md lists all)";
}

// Of a name that is not declared and was left out for a reason. Nothing: it is another message.
std::string of_refused_name(const std::string& text) {
  static const std::regex undeclared(
      "(?:use of undeclared identifier |unknown type name |no (?:template|type|member) named )"
      "'(\\w+)'(?: in the global namespace)?(?:;.*)?|\u2018(\\w+)\u2019 (?:was not declared|does not name a type|has "
      "not "
      "been declared).*");
  std::smatch m;
  if (!std::regex_match(text, m, undeclared)) return {};
  const std::string name = m[1].matched ? m.str(1) : m.str(2);
  const char* const why = reason_for_refusing(name);
  return why == nullptr ? std::string() : refused(name, why);
}

// Of a name of CUDA that is not declared. Nothing: it is another message.
std::string of_unknown_name(const std::string& text) {
  static const std::regex undeclared(
      "(?:use of undeclared identifier |unknown type name |no template named |no type named |"
      "no member named )?(?:'|\u2018)"
      "((?:cuda|cu|curand|cublas|cufft|cusparse|cusolver|cudnn|nccl|nvrtc|nvml)[A-Z]\\w*|"
      "CU[a-z]\\w*|(?:CU|CUDA|CUBLAS|CUFFT|CURAND|CUSPARSE|CUSOLVER|NVRTC)_\\w+)(?:'|\u2019)(.*)");
  static const std::regex in_library(
      "no (?:type |template |member )?named '(\\w+)' in (?:namespace )?'(thrust|cub|cooperative_groups|cuda|nvcuda)"
      "((?:::\\w+)*)'.*");
  std::smatch m;
  if (std::string other = of_refused_name(text); !other.empty()) return other;
  if (std::regex_match(text, m, in_library))
    if (const char* const why = reason_for_refusing(m.str(2) + m.str(3) + "::" + m.str(1)); why != nullptr)
      return refused(m.str(2) + m.str(3) + "::" + m.str(1), why);
  if (std::regex_match(text, m, in_library))
    return "'" + m.str(2) + m.str(3) + "::" + m.str(1) + "'" + std::string(kNotThere);
  if (!std::regex_match(text, m, undeclared)) return {};
  const bool gcc = text.starts_with("\u2018") &&
                   (m.str(2).starts_with(" was not declared in this scope") ||
                    m.str(2).starts_with(" does not name a type") || m.str(2).starts_with(" has not been declared"));
  const bool clang = text.starts_with("use of ") || text.starts_with("unknown ") || text.starts_with("no ");
  if (!gcc && !clang) return {};
  const std::string nearest = nearest_of(m.str(1), m.str(2));
  return "'" + m.str(1) + "'" + std::string(kNotThere) + (nearest.empty() ? with_its_header(m.str(1)) : nearest);
}

// What it means that a call of ours, which the translator has made, does not fit.
constexpr std::pair<std::string_view, std::string_view> kCallsOfOurs[] = {
    {"configure", "a launch is configured by <<<grid, block, shared bytes, stream>>>; the last two may be left out"},
    {"shared_variable",
     "the size of a __shared__ array has to be a constant; one that the launch decides is `extern __shared__ T "
     "name[];`, "
     "its bytes are the third argument of <<<>>>"}};

bool is_of_call_of_ours(std::string_view text) {
  return std::ranges::any_of(kCallsOfOurs, [&](const auto& call) { return call.second == text; });
}

// What the translator has made stands for what the user wrote.
std::string in_words_of_user(const std::string& text) {
  for (const auto& [called, meaning] : kCallsOfOurs)
    if (text.find("function for call to '" + std::string(called) + "'") != std::string::npos ||
        text.find("function for call to \u2018" + std::string(called)) != std::string::npos)
      return std::string(meaning);
  if (std::string other = of_unknown_name(text); !other.empty()) return other;
  static const std::regex with_meaning("'simt_T_\\w+(&?)' \\(aka '([^']*)'\\)"), name("\\bsimt_[TN]_(\\w+)");
  return std::regex_replace(std::regex_replace(text, with_meaning, "'$2'"), name, "$1");
}

class file_lines {
 public:
  const std::vector<std::string>& of(const std::string& file) {
    const auto [at, added] = files_.try_emplace(file);
    if (!added) return at->second;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (line.ends_with('\r')) line.pop_back();
      at->second.push_back(std::move(line));
    }
    return at->second;
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

using line_name = std::pair<std::string, int>;  // file, number

// What was compiled as these lines; some stand there in several pieces.
std::map<line_name, std::vector<std::string_view>> compiled_lines(const std::vector<compiler_message>& messages,
                                                                  std::string_view translated) {
  std::map<line_name, std::vector<std::string_view>> found;
  for (const compiler_message& m : messages)
    if (!m.file.empty()) found[{m.file, m.line}];
  line_name here;
  for_each_line(translated, [&](std::string_view line) {
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (line.starts_with("# ") && open != std::string_view::npos && close > open) {
      here.first = line.substr(open + 1, close - open - 1);
      std::from_chars(line.data() + 2, line.data() + open, here.second);
      return;
    }
    if (const auto wanted = found.find(here); wanted != found.end()) wanted->second.push_back(line);
    ++here.second;
  });
  return found;
}

// The first text in quotation marks.
std::string_view quoted_in(std::string_view text) {
  const auto open = text.find('\''), close = text.find('\'', open + 1);
  return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

// Of several pieces of a line the last one that has at the column what the message quotes, else one in which a word
// begins there, else ends in front of it: what is missing is reported there.
std::string_view piece_with_column(const std::vector<std::string_view>& pieces, std::size_t column,
                                   std::string_view message) {
  const std::string_view quoted = quoted_in(message);
  std::string_view best;
  int rank = 0;
  for (const std::string_view piece : pieces) {
    if (piece.size() < column) continue;
    const auto is_in_name = [&](std::size_t i) { return std::isalnum(static_cast<unsigned char>(piece[i])) != 0; };
    const bool at_border = column == 0 || column == piece.size() || !is_in_name(column - 1) || !is_in_name(column);
    const bool begins = at_border && column < piece.size() && piece[column] != ' ';
    const bool ends = at_border && column > 0 && piece[column - 1] != ' ';
    const bool is_quoted = begins && !quoted.empty() && piece.substr(column).starts_with(quoted);
    const int this_rank = is_quoted ? 4 : begins ? 3 : ends ? 2 : 1;
    if (this_rank < rank || (this_rank == 1 && rank == 1)) continue;
    best = piece, rank = this_rank;
  }
  return best;
}

// Where the text stands in the line; a name only as a whole word.
std::size_t find_whole(std::string_view line, std::string_view text) {
  const auto is_letter = [&](std::size_t i) {
    return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) != 0 || line[i] == '_');
  };
  for (std::size_t at = line.find(text); at != std::string_view::npos; at = line.find(text, at + 1)) {
    const std::size_t end = at + text.size();
    if (!(at > 0 && is_letter(at) && is_letter(at - 1)) && !(is_letter(end - 1) && is_letter(end))) return at;
  }
  return std::string_view::npos;
}

// The first text in quotation marks that stands in the line.
void point_at_quoted(compiler_message& m) {
  for (std::size_t open = m.text.find('\''); open != std::string::npos;) {
    const std::size_t close = m.text.find('\'', open + 1);
    if (close == std::string::npos) return;
    const std::string_view quoted = std::string_view(m.text).substr(open + 1, close - open - 1);
    if (const std::size_t at = find_whole(m.written, quoted); !quoted.empty() && at != std::string::npos) {
      m.column = static_cast<int>(at) + 1;
      m.length = static_cast<int>(quoted.size());
      return;
    }
    open = m.text.find('\'', close + 1);
  }
}

int length_of_word(const std::string& line, int column) {
  std::size_t end = static_cast<std::size_t>(column - 1);
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_')) ++end;
  return static_cast<int>(end) - (column - 1);
}

}  // namespace

std::vector<compiler_message> read_messages(std::string_view errors) {
  std::vector<compiler_message> all;
  for_each_line(errors, [&](std::string_view line) {
    if (only_counts(line) || names_function(line)) return;
    compiler_message m;
    if (line.starts_with(kByPlugin)) line.remove_prefix(kByPlugin.size());
    if (line.starts_with("In file included from ") || line.starts_with(" ") || !read_place(line, m)) m.text = line;
    m.text = in_words_of_user(m.text);
    all.push_back(std::move(m));
  });
  return all;
}

bool is_of_our_headers(const compiler_message& m) { return m.file.find("/simt_cuda/") != std::string::npos; }

namespace {

constexpr std::string_view kNoSize =
    "a __shared__ array without a size is `extern __shared__ T name[];`, its bytes are the third argument of <<<>>>";

// "of a T" of "static assertion failed due to requirement 'x': of a T".
std::string_view asserted(std::string_view text) {
  if (text.starts_with("invalid application of 'sizeof' to an incomplete type") && text.ends_with("[]'"))
    return kNoSize;
  if (!text.starts_with("static assertion failed")) return {};
  const auto colon = text.rfind(": ");
  return colon == std::string_view::npos ? text : text.substr(colon + 2);
}

// What our headers assert of the user's code is said where that code is, with none of the way in between.
void move_assertions_to_use(std::vector<compiler_message>& messages) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].severity != "error" || !is_of_our_headers(messages[i]) || asserted(messages[i].text).empty())
      continue;
    const auto is_note = [](const compiler_message& m) { return m.severity == "note"; };
    const auto first = messages.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const auto end = std::find_if_not(first, messages.end(), is_note);
    const auto use = std::find_if(first, end, [](const compiler_message& m) {
      return !is_of_our_headers(m) && m.text.find("requested here") != std::string::npos;
    });
    if (use == end) continue;
    compiler_message& m = messages[i];
    m.text = std::string(asserted(m.text));
    m.file = use->file, m.line = use->line, m.column = use->column;
    messages.erase(first, end);
    while (i > 0 && messages[i - 1].text.starts_with("In file included from "))
      messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(--i));
  }
}

}  // namespace

void place_in_source(std::vector<compiler_message>& messages, std::string_view translated) {
  move_assertions_to_use(messages);
  const auto compiled = compiled_lines(messages, translated);
  file_lines files;
  const auto is_left_out = [&](compiler_message& m) {
    if (m.file.empty()) return false;
    const std::vector<std::string>& lines = files.of(m.file);
    const auto number = static_cast<std::size_t>(m.line);
    if (number == 0 || number > lines.size()) return m.severity == "warning";
    m.written = lines[number - 1];
    const std::vector<std::string_view>& pieces = compiled.at({m.file, m.line});
    if (m.column == 0 || pieces.empty()) return false;
    const auto column = static_cast<std::size_t>(m.column - 1);
    std::vector<std::string_view> written(
        lines.begin() + (m.line - 1),
        lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), number + kMostLinesBehind)));
    const source_column place = column_as_written(piece_with_column(pieces, column, m.text), column, written);
    m.line += static_cast<int>(place.line);
    m.column = static_cast<int>(place.column) + 1;
    m.length = static_cast<int>(place.length);
    m.written = written[place.line];
    return place.is_ours && (m.severity == "warning" || m.text.find("lambda") != std::string::npos);
  };
  bool without_notes = false;  // what belongs to the message before is about our code
  std::erase_if(messages, [&](compiler_message& m) {
    if (m.severity == "note" && (without_notes || m.text.find("lambda") != std::string::npos)) return true;
    const bool left_out = is_left_out(m);
    if (m.severity != "note")
      without_notes = left_out || is_of_call_of_ours(m.text) || m.text.find(kNotThere) != std::string::npos;
    return left_out;
  });
}

void drop_said_before(std::vector<compiler_message>& messages, const std::vector<compiler_message>& before) {
  const auto name_of = [](const compiler_message& m) { return m.text.substr(0, m.text.find('\'', 1)); };
  std::erase_if(messages, [&](const compiler_message& m) {
    return m.text.find(kNotThere) != std::string::npos && std::ranges::any_of(before, [&](const compiler_message& b) {
             return b.file == m.file && b.line == m.line && name_of(b) == name_of(m);
           });
  });
}

void quote_lines(std::vector<compiler_message>& messages) {
  file_lines files;
  for (compiler_message& m : messages) {
    if (m.file.empty()) continue;
    const std::vector<std::string>& lines = files.of(m.file);
    if (m.line < 1 || static_cast<std::size_t>(m.line) > lines.size()) continue;
    m.written = lines[static_cast<std::size_t>(m.line - 1)];
    if (m.column == 0)
      point_at_quoted(m);
    else
      m.length = length_of_word(m.written, m.column);
  }
}

}  // namespace simt::cuda_source
