// SPDX-License-Identifier: Apache-2.0
// The tool as a whole, run as a process against the fake module: command lines, exit codes, files, messages.
// Long because: every case needs the same process, folder and fake module around it.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct outcome {
  int code = -1;
  std::string out, err;
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// A directory of this test alone, gone at the end.
class scratch {
 public:
  scratch() {
    std::string name = (fs::temp_directory_path() / "simrun_test_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~scratch() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

outcome shell(const std::string& command) {
  const scratch place;
  const int status = std::system(fmt::format("({}) >{} 2>{}", command, place / "out", place / "err").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(place / "out"), read_file(place / "err")};
}

outcome simrun(const std::string& arguments, const std::string& environment = "") {
  return shell(fmt::format("{} {} {}", environment, SIMRUN, arguments));
}

// With the fake module.
outcome fake(const std::string& arguments, const std::string& environment = "") {
  return simrun(arguments + " --module " FAKE_MODULE, environment);
}

json report_of(const std::string& arguments, int code) {
  const outcome o = fake(arguments + " --json -");
  INFO(arguments, "\n", o.out, o.err);
  CHECK(o.code == code);
  return json::parse(o.out);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
// The same words on one line: messages break where the terminal's width asks for it.
std::string unbroken(const std::string& text) {
  std::istringstream in(text);
  std::string line, word;
  while (in >> word) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

TEST_CASE("exit codes") {
  CHECK(fake("count").code == 0);
  CHECK(fake("wrong").code == 1);
  CHECK(fake("count --block 32,32,32").code == 2);
  CHECK(fake("count-racy --detect-races").code == 3);
  CHECK(fake("count-racy").code == 0);  // nothing watches
  CHECK(fake("endless --timeout 1").code == 4);
  CHECK(fake("count --backend cuda").code == 77);
  CHECK(fake("partial --check all").code == 1);  // a warning does not win over the wrong result
  CHECK(fake("partial --check all --strict").code == 3);
}

TEST_CASE("options before or after the program, and the program's own") {
  for (const char* line : {"count --samples 5 --seed 3 --check races", "--samples 5 count --seed 3 --check races",
                           "--check races --seed 3 --samples 5 count", "run count --samples=5 --seed=3 --check=races",
                           "--seed 3 run --samples 5 count --check races"}) {
    const json r = report_of(line, 0);
    CHECK(r["schedule"]["name"] == "natural");
    CHECK(has(r["notes"][0], "samples=5"));
    CHECK(r["check"] == json::array({"races"}));
  }
  CHECK(has(report_of("count --fast --width 0.25", 0)["notes"][0], "fast=true width=0.25"));
  CHECK(has(report_of("count --samples 5 --samples 7", 0)["notes"][0], "samples=7"));  // the last counts
}

TEST_CASE("mistakes are named, with the nearest right word") {
  const auto says = [](const std::string& line, const std::string& part) {
    const outcome o = fake(line, "COLUMNS=120");
    INFO(line, "\n", o.out, o.err);
    CHECK(o.code == 2);
    CHECK(o.out.empty());
    std::string joined = o.err;
    for (auto at = joined.find("\n        "); at != std::string::npos; at = joined.find("\n        "))
      joined.replace(at, 9, " ");
    CHECK(has(joined, part));
  };
  says("cuont", "did you mean count?");
  says("count --sampels 4", "did you mean --samples?");
  says("count --chekc all", "did you mean --check?");
  says("count --schedule rndom", "did you mean random?");
  says("count --foo", "unknown option --foo for count. `simrun count --help` lists them.");  // two of three letters off
  says("count --n 4", "unknown option --n for count. `simrun count --help` lists them.");    // not --new-since
  says("count extra", "\"extra\" is one word too many");
  says("count --samples", "--samples");
  says("count --samples many", "--samples takes a whole number of at least 1, not \"many\"");
  says("count --samples -5", "not -5");
  says("count --samples 0", "not 0");
  says("count --samples 99999999999999999999", "too large");
  says("count --samples 5.5", "not \"5.5\"");
  says("count --width nan", "--width takes");
  says("count --grid 0", "at least 1");
  says("count --grid -3", "at least 1");
  says("count --grid 1,2,3,4", "is not X, X,Y or X,Y,Z");
  says("count --grid 1,", "is not X, X,Y or X,Y,Z");
  says("count --block x", "is not X, X,Y or X,Y,Z");
  says("count --check memry", "did you mean memory?");
  says("count --schedule fast", "--schedule");
  says("count --seed -1", "--seed");
  says("count --seed -1", "must be a non-negative number, got '-1'");
  says("count --timeout soon", "must be a positive number, got 'soon'");
  says("count --timeout 0", "must be a positive number, got '0'");
  says("count --workers 0", "--workers: must be a whole number from 1 to 256, got '0'");
  says("count --workers 4096", "--workers: must be a whole number from 1 to 256, got '4096'");
  says("count --schedules 0", "must be a whole number from 1 to 100000, got '0'");
  says("count --backend cdua", "--backend");
  says("count --backend cuda --detect-races", "checks and schedules need the simulator");
  says("count --json - --sarif -", "only one report can go to standard output");
  says("count --suppress /no/such/file", "cannot read /no/such/file");
  says("count --suppress /", "cannot read /");
  says("count --check ''", "the value is empty");
  says("count --json ''", "the value is empty");
  says("count --seed 99999999999999999999999", "is above 18446744073709551615");
  says("", "no program was named");
  says("/proc/version",
       "/proc/version is a file, but only CUDA source (.cu) and what simrun has built from it run as files");
#if defined(SIMRUN_TAKES_SOURCES)
  CHECK(has(simrun("file.cu --grid 4").err, "is for programs that are run by name"));
  // Its own help has what it takes, and nothing else.
  const std::string help = simrun("file.cu --help").out;
  for (const char* taken : {"-gencode", "--check LIST", "--sarif FILE", "-o FILE"}) CHECK(has(help, taken));
  for (const char* refused : {"--grid", "--block", "--shared", "--plot", "--module", "--backend"})
    CHECK_FALSE(has(help, refused));
  says("count file.cu", "it does not go with .cu files");
#else
  says("count file.cu", "built without the simulator and cannot run CUDA C++ source files");
#endif
}

TEST_CASE("a message to a file is one line, whatever the width; an option without its value says what it takes") {
  const outcome o = fake("count --" + std::string(200, 'x'), "COLUMNS=40");
  CHECK(o.code == 2);
  CHECK(std::ranges::count(o.err, '\n') == 1);
  CHECK(simrun("--module " FAKE_MODULE " count-racy --check")
            .err.starts_with("simrun: --check takes a value, LIST: any of races, memory"));
  CHECK(simrun("--module " FAKE_MODULE " count-racy --json").err ==
        "simrun: --json takes a value, FILE: write the report as JSON\n");
}

TEST_CASE("the environment's settings are read, checked and weaker than options") {
  const auto notes = [](const std::string& environment, const std::string& options = "") {
    return json::parse(fake("count --json - " + options, environment).out)["notes"][0].get<std::string>();
  };
  CHECK(has(notes("SIMT_WORKERS=3"), "workers 3"));
  CHECK(has(notes("SIMT_WORKERS=3", "--workers 2"), "workers 2"));
  for (const char* wrong : {"SIMT_WORKERS=abc", "SIMT_WORKERS=0", "SIMT_TIMEOUT=soon", "SIMT_STACK=-1"}) {
    const outcome o = fake("count", wrong);
    INFO(o.err);
    CHECK(o.code == 2);
    CHECK(has(o.err, std::string(wrong).substr(0, std::string(wrong).find('='))));
  }
}

TEST_CASE("SIMT_BACKEND chooses the backend") {
  CHECK(fake("count", "SIMT_BACKEND=cuda").code == 77);
  CHECK(fake("count --backend sim", "SIMT_BACKEND=cuda").code == 0);
  CHECK(fake("count", "SIMT_BACKEND=cuda FAKE_HAS_GPU=1").code == 0);
  CHECK(fake("count --check all", "SIMT_BACKEND=cuda").code == 2);
}

TEST_CASE("which variant runs") {
  CHECK(report_of("count", 0)["check"].empty());
  CHECK(report_of("count --check memory,races", 0)["check"] == json::array({"races", "memory"}));
  CHECK(report_of("count --detect-races --check all", 0)["check"].size() == 4);
  const json scheduled = report_of("count --schedule lockstep", 0);
  CHECK(scheduled["schedule"]["name"] == "lockstep");
  CHECK(scheduled["check"] == json::array());  // a way to run, which nothing judges
  CHECK(report_of("count --schedules 2", 0)["check"] == json::array({"races"}));
}

TEST_CASE("modules by any of their names, and what is wrong with others") {
  const fs::path directory = fs::path(FAKE_MODULE).parent_path();
  for (const char* name : {"libfake.sim.so", "libfake.check.so", "libfake.cuda.so", "libfake", "fake", "libfake.so"}) {
    const outcome o = simrun("count-racy --check races --module " + (directory / name).string());
    INFO(name, o.err);
    CHECK(o.code == 3);
  }
  CHECK(has(simrun("count --module /no/such/lib.so").err, "there is no module"));
  CHECK(simrun("count --module /no/such/lib.so").code == 2);
  CHECK(has(simrun("x --module " + (directory / "libold.sim.so").string()).err, "version -1"));
  const outcome lacks = simrun("x --check all --module " + (directory / "libold.sim.so").string());
  CHECK(lacks.code == 77);
  CHECK(has(lacks.err, "has no check variant"));
  const scratch place;
  std::ofstream(place / "libtext.sim.so") << "no library";
  CHECK(has(simrun("x --module " + (place / "libtext.sim.so")).err, "cannot open"));
}

TEST_CASE("report files") {
  const scratch place;
  const outcome o = fake(fmt::format("count-racy --check all --json {} --sarif {} --junit {} --html {}",
                                     place / "r.json", place / "r.sarif", place / "r.xml", place / "r.html"));
  CHECK(o.code == 3);
  CHECK(has(o.out, "error[race-global]"));
  CHECK(json::parse(read_file(place / "r.json"))["schema"] == "simrun-report/1");
  CHECK(json::parse(read_file(place / "r.sarif"))["version"] == "2.1.0");
  CHECK(has(read_file(place / "r.xml"), "<testsuite "));
  CHECK(has(read_file(place / "r.html"), "</html>"));
  // A longer file from before leaves nothing behind.
  std::ofstream(place / "r.json") << std::string(1000000, 'x');
  fake("count --json " + (place / "r.json"));
  CHECK_NOTHROW((void)json::parse(read_file(place / "r.json")).size());
}

TEST_CASE("a report appears whole or not at all") {
  const scratch place;
  const std::string file = place / "r.json";
  std::ofstream(file) << "old";
  // No file may grow beyond 1024 bytes, as on a disk that is full.
  const outcome full = shell(fmt::format(
      "trap '' XFSZ; ulimit -f 2; {} count-racy --check all --quiet --json {} --module {}", SIMRUN, file, FAKE_MODULE));
  CHECK(full.code == 3);  // what was found counts more
  CHECK(has(full.err, "cannot write " + file));
  CHECK(read_file(file) == "old");
  CHECK(std::distance(fs::directory_iterator(fs::path(file).parent_path()), {}) == 1);
  // While it runs, and where it is refused, nothing is there.
  const std::string fresh = place / "fresh.json";
  CHECK(fake("count --block 64,64 --json " + fresh).code == 2);
  CHECK(fake("count --suppress /none --json " + place / "never.json").code == 2);
  CHECK_FALSE(fs::exists(place / "never.json"));
  CHECK(std::distance(fs::directory_iterator(fs::path(file).parent_path()), {}) == 2);
  // A link stays one, and permissions stay as they were.
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(file, place / "link.json");
  CHECK(fake("count --json " + (place / "link.json")).code == 0);
  CHECK(fs::is_symlink(place / "link.json"));
  CHECK(json::parse(read_file(file))["verdict"] == "clean");
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a signal ends a checked run with the report so far") {
  for (const auto& [name, number] : {std::pair("INT", 2), {"TERM", 15}, {"HUP", 1}}) {
    CAPTURE(name);
    const scratch place;
    const outcome o = shell(fmt::format(
        "FAKE_WAITS={0} env --default-signal=INT {1} count-racy --check all --json {2} --module {3} & p=$!; "
        "while [ ! -s {0} ]; do sleep 0.01; done; [ ! -e {2} ] && kill -{4} $p; wait $p",
        place / "waits", SIMRUN, place / "r.json", FAKE_MODULE, name));
    CHECK(o.code == 128 + number);
    CHECK(has(o.out, "error[race-global]"));
    CHECK(has(o.out, fmt::format("interrupted by SIG{}: the report is partial", name)));
    const json r = json::parse(read_file(place / "r.json"));
    CHECK(r["verdict"] == "interrupted");
    CHECK(r["interrupted_by"] == number);
    CHECK(r["findings"].size() == 1);
  }
}

TEST_CASE("a file that cannot be written is said before the run") {
  const outcome o = fake("count --json /no/such/dir/r.json");
  CHECK(o.code == 2);
  CHECK(o.out.empty());
  CHECK(has(o.err, "cannot write /no/such/dir/r.json"));
  CHECK(fake("count --json /dev/full").code == 2);
  CHECK(fake("count --html /tmp").code == 2);
}

TEST_CASE("with a report on standard output, text goes to standard error") {
  const outcome o = fake("count-racy --check all --json -");
  CHECK(json::parse(o.out)["verdict"] == "findings");
  CHECK(has(o.err, "error[race-global]"));
}

TEST_CASE("the same command gives the same bytes") {
  const outcome first = fake("count-racy --check all --json -");
  for (int i = 0; i < 3; ++i) CHECK(fake("count-racy --check all --json -").out == first.out);
  // The run on several workers saw thread 99 first; the report is that of one worker.
  CHECK(json::parse(first.out)["findings"][0]["accesses"][0]["thread"][0] == 5);
  CHECK(json::parse(first.out)["findings"].size() == 1);
  CHECK(json::parse(first.out)["findings"][0]["count"] == 17 * 2);
}

TEST_CASE("several schedules are merged, and each finding says how to see it") {
  const json r = report_of("count-racy --check races --schedules 6", 3);
  REQUIRE(r["findings"].size() == 2);
  CHECK(r["findings"][0]["count"] == 17 * 2 * 6);
  CHECK(has(r["findings"][1]["replay"], "--schedule random --seed 1"));
  const json random = report_of("count-racy --check races --schedule random --seed 4 --schedules 3", 3);
  CHECK(has(random["notes"].back(), "random with seed 4 to random with seed 6"));
  // The command in a finding works.
  const std::string replay = r["findings"][1]["replay"];
  const outcome again = simrun(replay.substr(std::string("simrun ").size()) + " --json -");
  CHECK(again.code == 3);
  CHECK(json::parse(again.out)["findings"].size() == 2);
}

TEST_CASE("replay repeats a report") {
  const scratch place;
  const outcome first =
      fake(fmt::format("count-racy --samples 9 --check races --schedule random --seed 7 --json {}", place / "r.json"));
  const outcome again = simrun(fmt::format("replay {} --json {}", place / "r.json", place / "s.json"));
  CHECK(first.code == again.code);
  const json recorded = json::parse(read_file(place / "r.json"));
  json repeated = json::parse(read_file(place / "s.json"));
  CHECK(repeated["notes"].back() == "played back: +1 0:1");
  repeated["notes"].erase(repeated["notes"].size() - 1);
  CHECK(recorded == repeated);
  std::ofstream(place / "bad.json") << "{}";
  CHECK(has(simrun("replay " + (place / "bad.json")).err, "cannot be replayed"));
  CHECK(simrun("replay /no/such/file").code == 2);
  // A schedule that is asked for here is not the recorded one.
  CHECK(!has(simrun(fmt::format("replay {} --seed 8 --json -", place / "r.json")).out, "played back"));
  const auto refused = [&](json report) {
    std::ofstream(place / "altered.json") << report.dump();
    const outcome o = simrun("replay " + (place / "altered.json"));
    CHECK(o.code == 2);
    return unbroken(o.err);
  };
  json altered = recorded;
  altered["orders"][0]["launches"][0]["picks"] = "+1 0:0";
  CHECK(has(refused(altered), "not the one that was written"));
  altered = recorded;
  altered.erase("orders");
  CHECK(has(refused(altered), "no \"orders\""));
  altered = recorded;
  altered["orders"][0].erase("launches");
  CHECK(has(refused(altered), "is not whole"));
  CHECK(simrun("replay").code == 2);
}

TEST_CASE("suppressions") {
  const scratch place;
  std::ofstream(place / "s.txt") << "# known\nrule:race-global object:bins\n";
  const outcome o = fake("count-racy --check all --suppress " + (place / "s.txt"));
  CHECK(o.code == 0);
  CHECK(has(o.out, "1 suppressed"));
  std::ofstream(place / "bad.txt") << "rule:race-global\nrule:nonsense\n";
  const outcome bad = fake("count-racy --check all --suppress " + (place / "bad.txt"), "COLUMNS=120");
  CHECK(bad.code == 2);
  CHECK(has(bad.err, "bad.txt:2:"));
}

TEST_CASE("--max-reports: the true number, and how many are shown") {
  const json r = json::parse(fake("count-racy --check all --schedules 9 --seed 1 --max-reports 1 --json -").out);
  CHECK(r["findings"].size() == 1);
  CHECK(r["errors_left_out"] == 1);
  CHECK(has(fake("count-racy --check all --schedules 9 --seed 1 --max-reports 1").out, "2 errors (1 shown)"));
}

TEST_CASE("--new-since: only what an earlier report has not got") {
  const scratch place;
  const std::string old = place / "old.json";
  CHECK(fake("count-racy --check all --json " + old).code == 3);
  const outcome same = fake("count-racy --check all --new-since " + old);
  CHECK(same.code == 0);
  CHECK(has(same.out, "no new findings, 1 known (--new-since)"));
  CHECK(has(same.out, "1 finding of " + old + " left out"));
  // The same but for another pair of lines: one of the two is new, and it is the right one.
  const outcome more = fake("count-racy --check all --schedules 9 --seed 1 --json - --new-since " + old);
  CHECK(more.code == 3);
  const json r = json::parse(more.out);
  REQUIRE(r["findings"].size() == 1);
  CHECK(r["findings"][0]["accesses"][1]["line"] == 6);
  std::ofstream(place / "other-lines.json") << r;  // it alone: whichever comes first, the one at the same lines is old
  const json other_way = json::parse(
      fake("count-racy --check all --schedules 9 --seed 1 --json - --new-since " + (place / "other-lines.json")).out);
  REQUIRE(other_way["findings"].size() == 1);
  CHECK(other_way["findings"][0]["accesses"][1]["line"] == 7);
  // Where the code has moved, a finding stays what it is.
  json moved = json::parse(read_file(old));
  for (json& a : moved["findings"][0]["accesses"]) a["line"] = a["line"].get<int>() + 100;
  std::ofstream(place / "moved.json") << moved;
  CHECK(fake("count-racy --check all --new-since " + (place / "moved.json")).code == 0);
  moved["findings"][0]["object"] = "other";
  std::ofstream(place / "other.json") << moved;
  CHECK(fake("count-racy --check all --new-since " + (place / "other.json")).code == 3);
  // What cannot be compared with.
  moved["errors_left_out"] = 3;
  std::ofstream(place / "cut.json") << moved;
  CHECK(
      has(fake("count-racy --check all --new-since " + (place / "cut.json")).err, "it left"));  // a line may end there
  CHECK(has(fake("count --new-since /none.json").err, "--new-since: cannot read /none.json"));
  std::ofstream(place / "text") << "text";
  CHECK(has(fake("count --new-since " + (place / "text")).err, "it is not JSON"));
}

TEST_CASE("--format gcc: one line a finding") {
  const outcome o = fake("count-racy --check all --format gcc");
  CHECK(o.code == 3);
  CAPTURE(o.out);
  CHECK(has(o.out, "fake_kernel.cpp:7:5: error: "));
  CHECK(has(o.out, " [race-global]\n"));
  CHECK(std::ranges::count(o.out, '\n') == 2);  // and the last line, which counts them
}

TEST_CASE("test: a table, a last line, JUnit") {
  const scratch place;
  const outcome o = fake("test --junit " + (place / "t.xml"));
  CHECK(o.code == 0);
  CHECK(o.out.ends_with("5 passed, 0 failed\n"));
  CHECK(has(read_file(place / "t.xml"), "tests=\"5\" failures=\"0\""));
  CHECK(fake("test count").out.ends_with("2 passed, 0 failed\n"));
  CHECK(fake("test nothing").code == 2);
  // A check that misses what a program must show fails.
  const outcome missed = fake("test count-racy --check memory,races,barrier,uninit", "FAKE_BLIND=1");
  CHECK(missed.code == 1);
  CHECK(has(missed.out, "missing: error race-global on bins"));
  // So does a finding that nobody expects.
  const outcome noisy = fake("test count", "FAKE_NOISY=1");
  CHECK(noisy.code == 1);
  CHECK(has(noisy.out, "not expected: error race-global"));
  CHECK(fake("test --backend cuda").code == 77);
  CHECK(has(fake("test --backend cuda", "FAKE_HAS_GPU=1").out, "2 skipped"));
}

TEST_CASE("list, devices, bench, explain, help") {
  CHECK(has(fake("list").out, "count-racy  The same"));
  CHECK(has(fake("list nothing-like-it").err, "no program is called nothing-like-it"));
  CHECK(has(fake("test count nothing-like-it").err, "no program is called nothing-like-it"));
  CHECK(has(simrun("debug").err, "no program was named"));
  CHECK(json::parse(fake("list --json -").out)["programs"].size() == 5);
  CHECK(has(fake("devices").out, "warp size"));
  CHECK(has(fake("devices").out, "driver not loaded"));
  CHECK(fake("devices --backend cuda").code == 77);
  const outcome bench = fake("bench count --repeat 7 --json -");
  CHECK(json::parse(bench.out)["repeat"] == 7);
  CHECK(json::parse(bench.out)["kernel_ms"]["median"] == 0.75);
  CHECK(has(fake("bench count").out, "0.750 ms"));
  CHECK(has(simrun("explain race-shared").out, "t.sync()"));
  CHECK(has(simrun("explain").out, "unwritten-output"));
  CHECK(simrun("explain race-globl").code == 2);
  CHECK(has(simrun("explain race shared").err, "did you mean race-shared?"));
  CHECK(has(simrun("explain leak hang").out, "hang: the kernel does not end"));
  // Nothing of our own API in what a CUDA programmer reads.
  const std::string rules = simrun("explain").out;
  std::istringstream lines(rules);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] < 'a' || line[0] > 'z') continue;
    const std::string rule = line.substr(0, line.find(' '));
    const std::string text = simrun("explain --cuda " + rule).out;
    CAPTURE(text);
    CHECK(has(text, rule + ": "));
    for (const char* word : {"simt::", "SIMT_", " t.", "(t.", "view"}) CHECK_FALSE(has(text, word));
  }
  CHECK(has(simrun("--help").out, "simrun replay FILE"));
  CHECK(has(simrun("run --help").out, "--detect-races"));
  CHECK(has(fake("count --help").out, "--samples N"));
  CHECK(simrun("--version").code == 0);
  CHECK(simrun("").code == 2);
}

TEST_CASE("compare shows the first difference") {
  CHECK(fake("compare count").code == 77);
  CHECK(fake("compare count", "FAKE_HAS_GPU=1").code == 0);
  const outcome o = fake("compare wrong", "FAKE_HAS_GPU=1");
  CHECK(o.code == 1);
  CHECK(has(o.out, "first at [1, 1]: sim 5, cuda 50"));
}

TEST_CASE("colours only where they are wanted") {
  const auto colored = [](const std::string& text) { return has(text, "\x1b["); };
  CHECK_FALSE(colored(fake("count-racy --check all").out));
  CHECK(colored(fake("count-racy --check all --color always").out));
  CHECK_FALSE(colored(fake("count-racy --check all --color never").out));
  CHECK_FALSE(colored(fake("cuont").err));
}

TEST_CASE("no kernels at all") {
  const outcome o = shell("SIMT_MODULE_DIR=/no/such/place " + std::string(SIMRUN_ALONE) + " hist");
  CHECK(o.code == 77);
  CHECK(has(o.err, "no kernels found"));
}

TEST_CASE("help keeps to the width of the terminal") {
  for (const char* line :
       {"--help", "run --help", "debug --help", "campaign --help", "merge --help", "replay --help"}) {
    const std::string text = simrun(line, "COLUMNS=60").out;
    CAPTURE(line);
    CHECK(text.size() > 100);
    std::size_t longest = 0;
    std::istringstream in(text);
    for (std::string row; std::getline(in, row);) longest = std::max(longest, row.size());
    CHECK(longest <= 60);
  }
  CHECK(has(simrun("campaign --help", "COLUMNS=60").out, "--shard I/N\n"));
  CHECK(has(simrun("merge --help", "COLUMNS=120").out, "--sarif FILE"));
}

TEST_CASE("completion knows every verb, option and rule; the shell takes it") {
  const scratch place;
  const std::string file = place / "completion.bash";
  std::ofstream(file) << simrun("completion bash").out;
  const auto completed = [&](const std::string& line) {
    return shell(fmt::format("bash -c '. {}; COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _simrun; "
                             "echo \"${{COMPREPLY[*]}}\"'",
                             file, line))
        .out;
  };
  CHECK(completed("simrun be") == "bench\n");
  CHECK(completed("simrun --schedule ra") == "random\n");
  CHECK(completed("simrun bench --rep") == "--repeat\n");
  CHECK(completed("simrun test --rep") == "\n");
  CHECK(completed("simrun x.cu --gri") == "\n");
  CHECK(completed("simrun explain race-s") == "race-shared race-scope\n");
  CHECK(completed("simrun explain --c") == "--cuda --color\n");
  CHECK(completed("simrun completion f") == "fish\n");
  CHECK(completed("simrun merge --sch") == "\n");
  CHECK(completed("simrun merge --h") == "--html --help\n");
  CHECK(completed("simrun merge --color al") == "always\n");
  CHECK(completed("simrun campaign --sh") == "--shard --shards\n");
  CHECK(completed("simrun list --b") == "\n");
  CHECK(completed("simrun devices --b") == "--backend\n");
  const std::string manual = simrun("completion man").out;
  for (const char* kind : {"zsh", "fish"}) {
    const std::string text = simrun(fmt::format("completion {}", kind)).out;
    for (const char* word : {"schedule", "new-since", "repeat", "replay", "race-shared"}) CHECK(has(text, word));
  }
  if (shell("command -v fish").code == 0) {  // Debian's package; CI has it where somebody installed it
    const std::string fish = place / "completion.fish";
    std::ofstream(fish) << simrun("completion fish").out;
    const auto offered = [&](const std::string& line) {
      return shell(fmt::format("fish -c 'source {}; complete -C \"{}\"' | cut -f1", fish, line)).out;
    };
    CHECK(offered("simrun completion f") == "fish\n");
    CHECK(offered("simrun explain --cu") == "--cuda\n");
    CHECK(offered("simrun explain --sch") == "");
    CHECK(offered("simrun campaign --sh") == "--shard\n--shards\n");
    CHECK(offered("simrun hist --sl") == "");
    CHECK(offered("simrun hist --format g") == "gcc\n");
  }
  if (shell("command -v zsh").code == 0) {
    const std::string zsh = place / "_simrun";
    std::ofstream(zsh) << simrun("completion zsh").out;
    CHECK(shell("zsh -n " + zsh).code == 0);
  }
  CHECK(has(manual, "\\fB\\-\\-new\\-since\\fR \\fIFILE\\fR"));
  CHECK(has(manual, "\\fB\\-\\-shard\\fR \\fII/N\\fR"));
  CHECK(simrun("completion tcsh").code == 2);
}
