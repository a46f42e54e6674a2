// SPDX-License-Identifier: Apache-2.0
// Names of functions as people write them.
#include <doctest/doctest.h>

#include "sim/report/function_name.hpp"

using simt::without_parameters;

TEST_CASE("parameters and return types go, lambdas are named by what they stand in") {
  CHECK(without_parameters("void ns::f<int>(int, float) const") == "ns::f<int>");
  CHECK(without_parameters("main::{lambda(int)#1}::operator()(int) const") == "lambda in main");
  CHECK(without_parameters("main::$_0::operator()(int) const") == "lambda in main");
  CHECK(without_parameters("void each<main::{lambda(int)#1}>(int, main::{lambda(int)#1})") == "each<main::lambda>");
  CHECK(without_parameters("void each<main::$_12>(int, main::$_12)") == "each<main::lambda>");
  CHECK(without_parameters(
            "each<main::{lambda(int)#1}>(int, main::{lambda(int)#1})::{lambda(uint3)#1}::operator()(uint3)") ==
        "lambda in each<main::lambda>");
}
