// SPDX-License-Identifier: Apache-2.0
// main() of the unit tests, and doctest itself, compiled once for all of them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
