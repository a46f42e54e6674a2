// SPDX-License-Identifier: Apache-2.0
// Text for people: golden screens at three widths, and the promises that hold for any finding.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lines_of.hpp"
#include "sample_reports.hpp"
#include "sim/report/counted.hpp"
#include "sim/report/explain.hpp"
#include "sim/report/source_excerpt.hpp"
#include "sim/report/terminal_text.hpp"
#include "sim/report/phrasebook.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"

using namespace simt;
using simt::test::source_file;

namespace {

std::string without_colors(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
      continue;
    }
    out += text[i];
  }
  return out;
}

// Compares with tests/golden/<name>; SIMT_UPDATE_GOLDEN=1 writes it instead.
void check_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(SIMT_GOLDEN_DIR) + "/" + name;
  if (std::getenv("SIMT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream in(path);
  std::stringstream wanted;
  wanted << in.rdbuf();
  INFO("golden file: ", path);
  CHECK(text == wanted.str());
}

}  // namespace

TEST_CASE("numbers with their nouns") {
  CHECK(counted(1, "launch", {.ending = "es"}) == "1 launch");
  CHECK(counted(2, "launch", {.ending = "es"}) == "2 launches");
  CHECK(counted(0, "run") == "0 runs");
  CHECK(counted(std::size_t{12345678}, "run", {.commas = true}) == "12,345,678 runs");
  CHECK(counted(12345678, "run") == "12345678 runs");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1000) == "1,000");
}

TEST_CASE("a race with its source at 60, 80 and 120 columns") {
  const source_file source(
      "line 1\nfor (;;) {\n\tconst int bin = find(x[i]);\n\tif (bin >= 0) bins[bin] = bins[bin] + 1;  // oops\n}\n");
  run_report report = test::racy_report();
  for (auto& a : report.findings[0].accesses) a.path = source.path(), a.line -= 20;
  report.findings[0].accesses[1].line = 4;
  for (const std::size_t width : {60, 80, 120}) {
    check_golden("text_race_" + std::to_string(width) + ".txt", text_report(report, {.width = width}));
  }
  report.findings[0].accesses[1].line = 3;
  report.findings[0].accesses[1].stack = {{"tally", "kernels/hist.cpp", 40}, {"outer", "kernels/hist.cpp", 50}};
  check_golden("text_race_two_lines.txt", text_report(report, {.width = 80}));
  check_golden("text_race_color.txt", text_report(report, {.color = true, .width = 80}));
}

TEST_CASE("a source file that is gone still gives file and line") {
  const std::string text = text_finding(test::race(), dialect::api, {.width = 80});
  CHECK(text.find("kernels/hist.cpp:24 in histogram_racy") != std::string::npos);
  CHECK(text.find("kernels/hist.cpp:23 in histogram_racy") != std::string::npos);
  CHECK(text.find("thread (3,0,0) of block (1,0,0) writes 12") != std::string::npos);
  CHECK(text.find("thread (7,0,0) of block (0,0,0) read 11") != std::string::npos);
}

TEST_CASE("the command that repeats a finding is never cut or wrapped") {
  finding f = test::awkward();
  f.replay = "simrun hist-racy --module " + std::string(300, 'p') + " --check all --schedule random --seed 7";
  for (const std::size_t width : {40, 80}) {
    const std::string text = text_finding(f, dialect::api, {.width = width});
    CHECK(text.find(f.replay + "\n") != std::string::npos);
    CHECK(lines_of(text).size() + f.replay.size() / width <= finding_lines(width));
  }
}

TEST_CASE("a whole report fits the width") {
  run_report r = test::racy_report();
  turn_on("all", r.check);
  r.schedule = "random";
  r.program = "a-program-with-quite-a-long-name";
  r.notes = {"a note that is longer than sixty columns, so that it has to be wrapped at least once"};
  for (const std::size_t width : {60, 80}) {
    for (const auto& line : lines_of(text_report(r, {.width = width}))) CHECK(columns(line) <= width);
  }
}

TEST_CASE("an access without a line shows its function or address") {
  finding f = test::race();
  f.accesses[0].file.clear();
  f.accesses[0].line = 0;
  f.accesses[0].pc = 0x1234;
  CHECK(text_finding(f, dialect::api, {.width = 80}).find("address 0x1234 in histogram_racy") != std::string::npos);
}

TEST_CASE("any finding fits a screen and the width, and obeys no escape sequence of its data") {
  for (const finding& f : {test::race(), test::awkward(), finding{}}) {
    for (const std::size_t width : {1, 40, 60, 80, 160}) {
      for (const bool color : {false, true}) {
        const std::string text = text_finding(f, dialect::api, {.color = color, .width = width});
        const std::string plain = without_colors(text);
        CHECK(plain.find('\x1b') == std::string::npos);
        CHECK(plain.find('\x07') == std::string::npos);
        const auto lines = lines_of(plain);
        CHECK(lines.size() <= finding_lines(width));
        for (const auto& line : lines) {
          if (line.find("= replay: ") == std::string::npos) CHECK(columns(line) <= std::max<std::size_t>(width, 40));
        }
        if (!color) CHECK(text == plain);
      }
    }
  }
}

TEST_CASE("a narrow terminal shows the reason and the fix whole") {
  finding f = test::race();
  const auto words_of = [](const std::string& text) {
    std::string words;
    for (const char c : text)
      if (c != ' ' && c != '\n') words += c;
    return words;
  };
  const phrases said = phrase(f, dialect::cuda);
  for (const std::size_t width : {40, 50, 56, 60, 80, 130}) {
    const std::string text = words_of(text_finding(f, dialect::cuda, {.width = width}));
    CHECK_MESSAGE(text.find(words_of(said.why)) != std::string::npos, width);
    CHECK_MESSAGE(text.find(words_of(said.fix)) != std::string::npos, width);
  }
}

TEST_CASE("--max-reports limits what is shown and says so") {
  run_report report = test::racy_report();
  report.findings.assign(50, test::race());
  const std::string text = text_report(report, {.width = 80, .max_findings = 3});
  std::size_t shown = 0;
  for (auto at = text.find("error[race-global]"); at != std::string::npos; at = text.find("error[race-global]", at + 1))
    ++shown;
  CHECK(shown == 3);
  CHECK(text.find("47 findings not shown") != std::string::npos);
  CHECK(text.find("50 errors (3 shown)") != std::string::npos);
  report.errors_left_out = 1400;
  report.warnings_left_out = 2;
  const std::string more = text_report(report, {.width = 80, .max_findings = 3});
  CHECK(more.find("1449 findings not shown; --max-reports 1452") != std::string::npos);
  CHECK(more.find("1450 errors, 2 warnings (3 shown)") != std::string::npos);
}

TEST_CASE("where not all findings are shown, what may be the cause of the others comes first") {
  std::vector<finding> findings(5, test::race());
  findings[1].severity = severity::warning;
  findings[4].rule = rule::out_of_bounds;
  const auto first_rules = [&](int most) {
    std::vector<rule> out;
    for (const finding* f : shown_findings(findings, most)) out.push_back(f->rule);
    return out;
  };
  CHECK(first_rules(3) == std::vector{rule::out_of_bounds, rule::race_global, rule::race_global});
  CHECK(shown_findings(findings, 4)[3] == &findings[3]);
  CHECK(shown_findings(findings, 5)[4] == &findings[4]);  // all fit: as they are
  CHECK(shown_findings(findings, 0).size() == 5);
}

TEST_CASE("findings of one cause are one, with a line for each of its members, and all are counted") {
  run_report r = test::racy_report();
  r.findings = {test::race(), test::race(), test::race()};
  r.findings[0].members = {1};
  r.findings[1].part_of = 0;
  r.findings[1].object = "other";
  r.findings[2].object = "alone";
  const std::string text = text_report(r, {});
  CHECK(text.find("1 more finding with the same cause") != std::string::npos);
  CHECK(text.find("- error[race-global] kernels/hist.cpp:24, 23: ") != std::string::npos);
  CHECK(text.find("error[race-global]: write and read of other") == std::string::npos);
  CHECK(text.find("error[race-global]: write and read of alone") != std::string::npos);
  CHECK(text.find("3 errors of 2 causes") != std::string::npos);
  CHECK(text.find("not shown") == std::string::npos);
  r.findings.resize(2);
  CHECK(text_report(r, {}).find("2 errors of 1 cause") != std::string::npos);
  r.findings.resize(1);
  r.findings[0].members.clear();
  CHECK(text_report(r, {}).find("of 1 cause") == std::string::npos);
}

TEST_CASE("a run without an access has shown nothing, and a refused launch hides no finding") {
  run_report r = test::racy_report();
  const text_style style{.width = 80};
  r.verdict = verdict::error;
  r.error = "launch of k refused";
  CHECK(verdict_of(r, false) == verdict::findings);
  CHECK(text_report(r, style).find("error     launch of k refused") != std::string::npos);
  r.findings.clear();
  CHECK(exit_code(r, false) == 2);
  r.judged.checks = r.check;
  CHECK(text_summary(r, style) == "hist-racy: not all of it ran; no kernel was launched, so nothing was judged\n");
  r.judged.launches = 1, r.judged.accesses = 2;
  CHECK(text_summary(r, style) == "hist-racy: not all of it ran; judged races in 1 launch and 2 accesses\n");
  r.judged = {};
  r.verdict = verdict::findings;  // they were suppressed
  CHECK(exit_code(r, false) == 2);
  r.verdict = verdict::clean;
  r.error.clear();
  r.judged.checks = r.check;
  r.judged.launches = 1;
  CHECK(text_summary(r, style).ends_with("no kernel touched memory, so no access was judged\n"));
  CHECK(text_summary(r, style).find("no findings") == std::string::npos);
  r.judged.accesses = 1;
  CHECK(text_summary(r, style).find("no findings") != std::string::npos);
}

TEST_CASE("a column beyond the end of its line is not the author's") {
  const std::string path = "source_of_columns.cu";
  std::ofstream(path) << "__global__ void k(int* p) { *p += 1; }\n  *p += 1;\n";
  source_reader sources;
  simt::access a;
  a.path = path;
  const auto own = [&](int line, int column) { return a.line = line, a.column = column, sources.has_own_column(a); };
  CHECK(own(2, 6));
  CHECK(sources.update_at(a).target == "*p");
  CHECK(!own(2, 60));
  CHECK(sources.expression_of(a).empty());
  CHECK(own(1, 32));
  CHECK(sources.update_at(a).target == "*p");
  std::filesystem::remove(path);
}

TEST_CASE("what an access names at its column, and the update there") {
  const auto named = [](std::string_view line, const char* at, std::size_t skip = 0) {
    const text_range r = accessed_at(line, static_cast<int>(line.find(at) + skip) + 1);
    return std::string(line.substr(r.begin, r.end - r.begin));
  };
  CHECK(named("{ *p = 1; }", "=") == "*p");
  CHECK(named("x = 2 * s[i].hits;", "s[") == "s[i].hits");
  CHECK(named("s->hits += 1;", "+=") == "s->hits");
  CHECK(named("y = *best / n;", "*") == "*best");
  CHECK(named("y = a * best;", "*").empty());
  CHECK(named("if (a) f(); else *best = 0;", "= 0") == "*best");
  CHECK(named("return *best;", "*") == "*best");
  CHECK(named("y = elsewhere *best;", "*").empty());
  CHECK(named("  if (x[i] > *best) *best = x[i];", "= x") == "*best");
  CHECK(named("b[i] = 0.5f * (a[i - 1] + a[i + 1]);", "a[i +") == "a[i + 1]");
  CHECK(named("++n;", "++") == "n");
  CHECK(named("cuda::memcpy_async(&s[t], p);", "cuda") == "cuda::memcpy_async(&s[t], p)");
  CHECK(named("x = S::sums[i] + 1;", "S") == "S::sums[i]");
  CHECK(accessed_at("x", 9).end == 0);
  const auto update = [](std::string_view line, const char* at) {
    const update_text u = update_in(line, static_cast<int>(line.find(at)) + 1);
    return u.target + "|" + u.operation + "|" + u.operand + (u.is_used ? "|used" : "") + (u.is_whole ? "" : "|open");
  };
  CHECK(update("  if (a) bins[f(x, y)] += g(1, 2) * 3;", "+=") == "bins[f(x, y)]|+=|g(1, 2) * 3");
  CHECK(update("  out[n++] = x;", "++") == "n|++||used");
  CHECK(update("  ++*p; // more", "++") == "*p|++|");
  CHECK(update("  for (;; n += 2, m += 3) {", "+=") == "n|+=|2");
  CHECK(update("  x[i] +=", "+=") == "x[i]|+=||open");
  CHECK(update("  x = y;", "=") == "||");
  CHECK(update("  if (a) f(); else *p += 1;", "+=") == "*p|+=|1");
  CHECK(update("  return *p += 1;", "+=") == "*p|+=|1|used");
}

TEST_CASE("the last line sums up") {
  run_report r = test::racy_report();
  const text_style style{.width = 80};
  CHECK(text_summary(r, style) == "hist-racy: 1 error\n");
  CHECK(text_summary(r, style, {.suppressed = 4}) == "hist-racy: 1 error, 4 suppressed\n");
  r.findings.clear();
  CHECK(text_summary(r, style) == "hist-racy: result right, no findings\n");
  CHECK(text_summary(r, style, {.known = 2}) == "hist-racy: result right, no new findings, 2 known (--new-since)\n");
  r.check = {};
  CHECK(text_summary(r, style).find("not checked") != std::string::npos);
  r.verdict = verdict::crash;
  CHECK(text_summary(r, style) == "hist-racy: the kernel did not finish\n");
  r.error = "the program said why";  // words decide nothing
  CHECK(text_summary(r, style) == "hist-racy: the kernel did not finish\n");
  r.host_crashed = true;
  CHECK(text_summary(r, style) == "hist-racy: the program did not finish\n");
}

TEST_CASE("what is underlined") {
  const auto marked = [](std::string_view line, const char* object, access_kind kind) {
    const column_range r = marked_columns(line, object, kind);
    return std::string(line.substr(r.begin, r.length));
  };
  CHECK(marked("    bins[bin] += 1;", "bins", access_kind::write) == "bins[bin]");
  CHECK(marked("  x[i] = x[i + 1];", "x", access_kind::write) == "x[i]");
  CHECK(marked("  x[i] = x[i + 1];", "x", access_kind::read) == "x[i + 1]");
  CHECK(marked("  tile[y][x] = a(row, tile[0][0]);", "tile", access_kind::write) == "tile[y][x]");
  CHECK(marked("  c(i, j) = sum;", "c", access_kind::write) == "c(i, j)");
  CHECK(marked("  if (x[i] == 0) return;", "x", access_kind::write) == "x[i]");
  CHECK(marked("  other = fox + x2;  // x[1]", "x", access_kind::read) == "other = fox + x2;");
  CHECK(marked("  no_name();", "", access_kind::read) == "no_name();");
  CHECK(marked("  counter[0]++;", "counter", access_kind::write) == "counter[0]");
  CHECK(marked("  if (bin < bins.size()) bins[bin] += 1;", "bins", access_kind::read) == "bins[bin]");
  CHECK(marked("  if (bin < bins.size()) bins[bin] += 1;", "bins", access_kind::write) == "bins[bin]");
  CHECK(marked("  y[i] = f(x) + x[i];", "x", access_kind::read) == "x[i]");
  CHECK(marked("  if (t[0] <= n) t[1] = n;", "t", access_kind::write) == "t[1]");
  CHECK(marked("  if (t[0] >> 1) t[1] >>= 1;", "t", access_kind::write) == "t[1]");
  CHECK(marked("  sum += x.at(i);", "x", access_kind::read) == "x");
  CHECK(marked("  t.atomic_add(bins[bin], 1);", "bins", access_kind::atomic) == "bins[bin]");
  CHECK(marked("", "x", access_kind::read).empty());
  CHECK(marked("  x[i", "x", access_kind::read) == "x");
  CHECK(marked("__global__ void k(int* p) { *p = 1; }", "p", access_kind::write) == "p");
  CHECK(marked_columns("__global__ void k(int* p) { y = *p; }", "p", access_kind::read).begin == 33);
  CHECK(marked_columns("int *x, *y; cudaMalloc(&x, 8); cudaMalloc(&y, 8);", "y", access_kind::write).begin == 43);
  CHECK(marked_columns("__global__ void k(int* p) { y = *p; }", "x", access_kind::read, 33).begin == 32);
  // The column decides: of two functions in one line, and of calls that access what an argument points to.
  const auto at_column = [](std::string_view line, std::string_view object, std::string_view at) {
    const auto r = marked_columns(line, object, access_kind::atomic, static_cast<int>(line.find(at)) + 1);
    return line.substr(r.begin, r.length);
  };
  CHECK(at_column("__device__ void put(int* q) { q[1] = 2; } __global__ void k(int* p) { put(p); }", "p", "= 2") ==
        "q[1]");
  CHECK(at_column("  atomicAdd(&h[b], f(1, 2));", "d_h", "atomicAdd") == "h[b]");
  CHECK(at_column("  if (atomicCAS(level + at(v, 1), -1, 2) == -1) n = 0;", "d", "atomicCAS") == "level + at(v, 1)");
  CHECK(at_column("  y[i] = __ldg(&x[i]) + __ldg(x + 3);", "p", "__ldg(x") == "x + 3");
  CHECK(at_column("  atomicAdd(&h[b], 1);", "h", "atomicAdd") == "h[b]");
  CHECK(at_column("  a[i] = 100 / (i - n[2]) + 1;", "", "/") == "/ (i - n[2])");
}

TEST_CASE("an update in place, or one whose operand is another element of the same array") {
  const std::string path = "source_of_updates.cu";
  const auto reads_another = [&](const std::string& text, const char* op) {
    std::ofstream(path) << text << "\n";
    simt::access a;
    a.path = path;
    a.line = 1;
    a.column = static_cast<int>(text.find(op)) + 1;
    source_reader sources;
    CHECK(!sources.update_at(a).target.empty());
    return sources.reads_another_element(a);
  };
  CHECK(reads_another("s[i] += s[i + d];", "+="));
  CHECK(reads_another("  if (i < d) s[i] += s[i + d];", "+="));
  CHECK(reads_another("  sums->part[t.x] *= f(2, sums->part[t.x + 1]);", "*="));
  CHECK(reads_another("  a[i].x += a[i + 1].x;", "+="));
  CHECK(reads_another("  s[i] +=\n      s[i + d];", "+="));
  CHECK(!reads_another("s[i] += x[i + d];", "+="));
  CHECK(!reads_another("s[i] += 2 * s[ i ];", "+="));
  CHECK(!reads_another("  a[i].x += a[i].y;", "+="));
  CHECK(!reads_another("  s[0] += 1; y = s[1];", "+="));
  CHECK(!reads_another("  x[s[i]]++;", "++"));
  CHECK(!reads_another("  bins[s[i]] += 1;", "+="));
  CHECK(!reads_another("  *total += s[1];", "+="));
  std::filesystem::remove(path);
}

TEST_CASE("wrapping") {
  CHECK(wrap("", 20) == std::vector<std::string>{""});
  CHECK(wrap("a b", 20) == std::vector<std::string>{"a b"});
  CHECK(wrap("aaaa bbbb cccc", 9) == std::vector<std::string>{"aaaa bbbb", "cccc"});
  CHECK(wrap("aaaa bbbb cccc", 9, 4) == std::vector<std::string>{" aaaa", "bbbb cccc"});
  CHECK(wrap("aaaa bbbb cccc", 9, 5) == std::vector<std::string>{"", "aaaa bbbb", "cccc"});
  CHECK(wrap("0123456789abcdef", 10) == std::vector<std::string>{"0123456789", "abcdef"});
  CHECK(columns("\xC3\xA4\xE2\x96\x88") == 2);
  CHECK(shortened("abcdefgh", 6) == "abc...");
  CHECK(printable("a\tb\x1b[1m") == "a   b?[1m");
  CHECK(printable("\xC2\x9B"
                  "1m") == "?1m");
}

TEST_CASE("every rule has a name and knowledge") {
  for (int i = 0; i < rule_count; ++i) {
    const auto r = static_cast<rule>(i);
    CHECK(rule_from_name(name(r)) == r);
    const rule_knowledge& k = knowledge_of(r);
    CHECK(k.rule == r);
    CHECK(k.meaning.size() > 10);
    CHECK(k.text.size() > 100);
    CHECK(k.fix.size() > 40);
    CHECK(k.example.find(name(r)) != std::string_view::npos);
    for (const std::size_t width : {60, 80})
      for (const auto& line : lines_of(text_explanation(r, dialect::api, {.width = width})))
        if (!line.starts_with("    ") || line.find("//") != std::string::npos)  // else it is code
          CHECK_MESSAGE(columns(line) <= width, line);
  }
  CHECK_FALSE(rule_from_name("race").has_value());
}
