// SPDX-License-Identifier: Apache-2.0
// What a statement does to a word that it reads and writes, read from its text.
#include "sim/report/combining.hpp"

#include <doctest/doctest.h>

using namespace simt;

namespace {

std::string how(const char* value, const char* held) {
  const combination c = combined(value, held);
  return c.operation + " " + c.operand;
}

}  // namespace

TEST_CASE("a value that combines what was held with something else") {
  CHECK(how("old + 1", "old") == "+= 1");
  CHECK(how("2 * n + old", "old") == "+= 2 * n");
  CHECK(how("x[i] + a * b", "x[i]") == "+= a * b");
  CHECK(how("(old - n)", "old") == "-= n");
  CHECK(how("old | (1u << b)", "old") == "|= (1u << b)");
  CHECK(how("max(old, v)", "old") == "> v");
  CHECK(how("std::min(v, *best)", "best[0]") == "< v");
  CHECK(how("fmaxf(v, old)", "old") == "> v");
}

TEST_CASE("values that no one operation makes") {
  const std::string none = " ";
  CHECK(how("old * 2", "old") == none);
  CHECK(how("old - a + b", "old") == none);  // not old - (a + b)
  CHECK(how("n - old", "old") == none);
  CHECK(how("old + a > b", "old") == none);
  CHECK(how("older + 1", "old") == none);
  CHECK(how("max(old, v) + 1", "old") == none);
  CHECK(how("1", "old") == none);
}

TEST_CASE("a call of an atomic function and the word that it changes") {
  CHECK(atomic_in("  int k = atomicAdd(&count[b], 1);", 11).target == "count[b]");
  CHECK(atomic_in("  int k = atomicAdd(&count[b], 1);", 0).call == "atomicAdd(&count[b], 1)");
  CHECK(atomic_in("atomicAdd(p, 1);", 1).target == "*p");
  CHECK(atomic_in("atomicAdd(p + i, 1);", 1).target == "p[i]");
  CHECK(atomic_in("atomicAdd_block(&x, f(1, 2));", 1).target == "x");
  CHECK(atomic_in("t.atomic_add(x, 1);", 3).target == "x");
  CHECK(atomic_in("atomicAdd(&a, 1); atomicAdd(&b, 1);", 19).target == "b");
  CHECK(atomic_in("my_atomicAdd(&x, 1);", 1).call.empty());
  CHECK(atomic_in("atomicAdd(&x,", 1).call.empty());
  CHECK(atomic_in("x += 1;  // atomicAdd(&x, 1)", 1).call.empty());
}

TEST_CASE("texts that name one word, brackets, and constants") {
  CHECK(names_same_word("*p", "p[0]"));
  CHECK(names_same_word("a [ i ]", "(a[i])"));
  CHECK(!names_same_word("a[i]", "a[j]"));
  CHECK(without_brackets("((x))") == "x");
  CHECK(without_brackets("(a) + (b)") == "(a) + (b)");
  CHECK(is_constant("-1"));
  CHECK(is_constant("true"));
  CHECK(is_constant("0.5f"));
  CHECK(!is_constant("n"));
  CHECK(!is_constant("1 + n"));
}
