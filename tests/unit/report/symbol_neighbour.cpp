// SPDX-License-Identifier: Apache-2.0
// What lies before and behind symbol_module.cpp in a module of units by several compilers.
extern "C" __attribute__((visibility("default"))) int SYMBOL_NEIGHBOUR(int x) { return 3 * x; }
