// SPDX-License-Identifier: Apache-2.0
// Reads and writes that one atomic operation is to take the place of, in the kernel's own words.
#include <doctest/doctest.h>

#include "sample_reports.hpp"
#include "sim/report/phrasebook.hpp"

using namespace simt;

namespace {

finding between_blocks() {
  finding f = test::race();
  f.cause = cause::race_blocks;
  f.facts = {};
  f.type.clear(), f.bytes = 4;
  return f;
}

std::string fix(const finding& f, dialect d = dialect::cuda) { return phrase(f, d).fix; }

// A step from line 18 to line 20.
finding step(const char* target, const char* update, const char* operand) {
  finding f = between_blocks();
  f.facts.target = target, f.facts.update = update, f.facts.operand = operand;
  f.facts.step.read_line = 18, f.facts.step.write_line = 20;
  return f;
}

}  // namespace

TEST_CASE("an update is made atomic in the kernel's own words") {
  finding f = between_blocks();
  f.facts.in_place = true;
  const auto call = [&](const char* target, const char* update, const char* operand, dialect d = dialect::cuda) {
    f.facts.target = target, f.facts.update = update, f.facts.operand = operand;
    const std::string text = fix(f, d), before = "make the update one atomic operation: ";
    CHECK(text.starts_with(before));
    return text.substr(before.size(), text.find(", or give") - before.size());
  };
  CHECK(call("bins[b]", "+=", "n") == "atomicAdd(&bins[b], n)");
  CHECK(call("bins[b]", "+=", "n", dialect::api) == "atomic_add(bins[b], n)");
  CHECK(call("bins[b]", "++", "") == "atomicAdd(&bins[b], 1)");
  CHECK(call("*p", "--", "") == "atomicAdd(p, -1)");
  CHECK(call("(*p)", "--", "") == "atomicAdd(p, -1)");
  CHECK(call("x", "-=", "a - b") == "atomicAdd(&x, -(a - b))");
  CHECK(call("x", "|=", "1") == "atomicOr(&x, 1)");
  CHECK(call("x", "*=", "2") == "a loop with atomicCAS(&x, ...)");
  CHECK(call("", "", "") == "atomicAdd(&bins[75], ...)");
  f.facts.value_used = true;
  CHECK(call("x", "++", "") == "atomicAdd(&x, 1) + 1");
  f.facts.in_place = false, f.facts.both_update = true, f.facts.plain_update = 9;
  CHECK(fix(f).starts_with("make the update at line 9 atomic, too: atomicAdd(&x, 1)"));
}

TEST_CASE("types decide what CUDA has an atomic operation for") {
  finding f = between_blocks();
  f.facts.in_place = true;
  const auto call = [&](const char* type, int bytes, const char* update) {
    f.type = type, f.bytes = bytes;
    f.facts.target = "x", f.facts.update = update, f.facts.operand = "n";
    return fix(f);
  };
  CHECK(call("long long", 8, "+=").find("atomicAdd((unsigned long long*)&x, n)") != std::string::npos);
  CHECK(call("double", 8, "+=").find("atomicAdd(&x, n)") != std::string::npos);
  CHECK(call("float", 4, "*=").find("a loop with atomicCAS on the bits of x (__float_as_int)") != std::string::npos);
  CHECK(call("unsigned char", 1, "+=").find("(make bins of type int for that: CUDA has no such operation of 1 byte)") !=
        std::string::npos);
  CHECK(call("__half2", 4, "*=").find("a loop with atomicCAS on the bits of x, as an unsigned int") !=
        std::string::npos);
  CHECK(call("__half", 2, "+=").find("no such operation") == std::string::npos);
  CHECK(phrase(f, dialect::api).fix.find("of type int") == std::string::npos);
}

TEST_CASE("all updates of one word are named") {
  finding f = between_blocks();
  f.facts.both_update = true;
  f.facts.update_line = 20, f.facts.target = "x", f.facts.update = "+=", f.facts.operand = "a";
  f.facts.other_updates = {{22, "x", "-=", "b", false}, {18, "x", "++", "", false}};
  CHECK(fix(f).starts_with(
      "make each of these updates one atomic operation: atomicAdd(&x, 1) at line 18, atomicAdd(&x, a) "
      "at line 20, atomicAdd(&x, -b) at line 22"));
}

TEST_CASE("a read and the write behind it become one operation, whose value is used") {
  finding f = step("*count", "+=", "n");
  CHECK(fix(f) ==
        "make the read at line 18 and the write at line 20 one atomic operation: atomicAdd(count, n), which gives the "
        "value that was there before");
  f.facts.step.result = "base";
  CHECK(fix(f).ends_with("one atomic operation: base = atomicAdd(count, n)"));
  CHECK(fix(f, dialect::api).ends_with("one atomic operation: base = atomic_add(*count, n)"));
  f.facts.value_used = true;  // of ++*count: the value before it is wanted all the same
  CHECK(fix(f).ends_with("base = atomicAdd(count, n)"));
  f.facts.step.call = "atomicAdd(count, 1)";
  CHECK(fix(f) ==
        "take the value from the atomic operation at line 20 instead of reading it at line 18: base = "
        "atomicAdd(count, 1)");
  f = step("head", "=", "node");
  f.type = "Node *", f.bytes = 8;
  CHECK(fix(f).find("atomicExch((unsigned long long*)&head, (unsigned long long)node), which gives") !=
        std::string::npos);
  f = step("x", "", "x * 3");
  CHECK(fix(f).ends_with("one atomic operation: a loop with atomicCAS(&x, ...)"));
  f = step("x", "+=", "n");
  f.facts.step.read_line = 20;
  CHECK(fix(f) == "make the read and the write one atomic operation: atomicAdd(&x, n)");
}

TEST_CASE("a test and the write that depends on it") {
  finding f = step("*best", ">", "a[i]");
  f.facts.step.is_test = true;
  CHECK(fix(f) == "make the test at line 18 and the write at line 20 one atomic operation: atomicMax(best, a[i])");
  f.type = "float";
  CHECK(fix(f).ends_with("a loop with atomicCAS on the bits of *best (__float_as_int)"));
  f.facts.step.does_more = true;
  CHECK(fix(f).starts_with("hold a lock around the test at line 18 and all that depends on it, or pack"));
  f = step("slots[s]", "=", "key");
  f.facts.step.is_test = true;
  CHECK(fix(f) ==
        "make the test at line 18 and the write at line 20 one atomic operation: test what atomicCAS(&slots[s], ..., "
        "key) gives, the value that was there before");
}

TEST_CASE("flags and locks") {
  finding f = between_blocks();
  f.accesses[0].kind = access_kind::read, f.accesses[0].line = 20;
  f.accesses[1].kind = access_kind::write, f.accesses[1].line = 22;
  f.facts.flag = true, f.facts.target = "done", f.facts.operand = "true";
  CHECK(
      fix(f) ==
      "use the flag by atomic operations: atomicExch(&done, 1) at line 22, and atomicAdd(&done, 0) to read it at line "
      "20");
  f.facts = {};
  f.facts.unlock_line = 20, f.facts.target = "lock", f.facts.operand = "0";
  CHECK(fix(f).starts_with("write it at line 20 by an atomic operation, too: atomicExch(&lock, 0)"));
  f = between_blocks();
  f.accesses[0].kind = access_kind::read, f.accesses[0].line = 20;
  f.accesses[1].kind = access_kind::atomic, f.accesses[1].line = 22;
  CHECK(fix(f).starts_with("read it at line 20 in a second launch"));
  f.facts.flag = true, f.facts.target = "*ready";
  CHECK(fix(f) ==
        "read it at line 20 by an atomic operation, too: atomicAdd(ready, 0), with __threadfence() behind it, "
        "before what it tells of is used");
}
