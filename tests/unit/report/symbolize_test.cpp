// SPDX-License-Identifier: Apache-2.0
// Addresses of this very file, of a module opened later and of a stripped one.
#include "sim/report/symbolize.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine_like/call.hpp"

namespace {

__attribute__((noinline)) std::uintptr_t here() {
  return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

inline __attribute__((always_inline)) std::uintptr_t inlined(int& line) {
  line = __LINE__ + 1;
  const std::uintptr_t pc = here();
  asm volatile("");
  return pc;
}

template <int N>
__attribute__((noinline)) std::uintptr_t templated(int& line) {
  const std::uintptr_t pc = inlined(line);
  asm volatile("");
  return pc;
}

}  // namespace

TEST_CASE("a line, with the functions inlined there") {
  simt::symbolizer s;
  int line = 0;
  const std::uintptr_t pc = templated<16>(line);
  const auto& frames = s.frames(pc);
  REQUIRE(frames.size() >= 2);
  CHECK(frames[0].function == "inlined");
  CHECK(frames[0].line == line);
  CHECK(frames[0].file == "tests/unit/report/symbolize_test.cpp");
  CHECK(frames[0].path.ends_with("/tests/unit/report/symbolize_test.cpp"));
  CHECK(frames.back().function == "templated<16>");
  CHECK(&s.frames(pc) == &frames);  // cached
}

TEST_CASE("the user's line is outside engine headers") {
  simt::symbolizer s({.source_roots = {}, .engine_directories = {ENGINE_LIKE_DIR}});
  const int line = __LINE__ + 2;
  simt::access a;
  a.pc = engine_like::call([] { return here(); });
  s.resolve(a);
  CHECK(a.file == "tests/unit/report/symbolize_test.cpp");
  CHECK(a.line == line);
  for (const auto& f : a.stack) CHECK(f.file.find("engine_like") == std::string::npos);
}

TEST_CASE("callers become the stack") {
  simt::symbolizer s;
  int line = 0;
  simt::access a;
  a.pc = templated<1>(line);
  const std::uintptr_t caller = here();
  const int caller_line = __LINE__ - 1;
  const std::vector<std::uintptr_t> callers = {caller};
  s.resolve(a, callers);
  CHECK(a.line == line);
  REQUIRE_FALSE(a.stack.empty());
  CHECK(a.stack.back().line == caller_line);
}

TEST_CASE("a module opened after the symbolizer has been used, units of several compilers in it") {
  for (const char* file : {SYMBOL_MODULE, MIXED_MODULE}) {
    CAPTURE(file);
    simt::symbolizer s;
    (void)s.frames(here());
    void* module = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(module != nullptr);
    const auto where = reinterpret_cast<std::uintptr_t (*)()>(::dlsym(module, "module_position"));
    REQUIRE((where != nullptr));
    const auto& frames = s.frames(where());
    CHECK(frames.back().function == "module_position");
    CHECK(frames.back().file == "tests/unit/report/symbol_module.cpp");
    CHECK(frames.back().line == 9);  // the call in module_position
  }
}

TEST_CASE("a stripped module gives function names, and hidden functions an offset") {
  simt::symbolizer s;
  void* module = ::dlopen(STRIPPED_MODULE, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(module != nullptr);
  const auto where = reinterpret_cast<std::uintptr_t (*)()>(::dlsym(module, "module_position"));
  CHECK(s.frames(where()).back().function == "module_position");
  const auto hidden = reinterpret_cast<std::uintptr_t (*)()>(::dlsym(module, "hidden_position"));
  const std::string name = s.frames(hidden()).back().function;
  INFO(name);
  CHECK_FALSE(name.empty());
  CHECK(s.frames(hidden()).back().line == 0);
}

TEST_CASE("another module at the path and the addresses of one that was closed is read anew") {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("simt-" + std::to_string(::getpid()) + ".so");
  int lines[2] = {-1, -1};
  for (int turn = 0; turn < 2; ++turn) {
    std::filesystem::remove(file);
    std::filesystem::copy_file(turn == 0 ? SYMBOL_MODULE : STRIPPED_MODULE, file);
    void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(module != nullptr);
    const auto where = reinterpret_cast<std::uintptr_t (*)()>(::dlsym(module, "module_position"));
    lines[turn] = simt::symbolizer().frames(where()).back().line;
    ::dlclose(module);
  }
  std::filesystem::remove(file);
  CHECK(lines[0] == 9);
  CHECK(lines[1] == 0);  // the stripped one knows no lines
}

TEST_CASE("an address of nowhere") {
  simt::symbolizer s;
  CHECK(s.frames(0x123).back().function == "0x122");
  CHECK(s.frames(0).size() == 1);
  simt::access a;
  s.resolve(a);
  CHECK(a.line == 0);
}
