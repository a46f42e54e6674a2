// SPDX-License-Identifier: Apache-2.0
// Host code whose names are those of device variables and functions in the other sources, which are not linked.
#include <cstdio>

float table[4] = {10, 20, 30, 40};
int scale(int x) { return x * 1000; }
int first(int), second(int);

int main() { printf("%g %d %d %d\n", table[1], scale(1), first(5), second(5)); }
