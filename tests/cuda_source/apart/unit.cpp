// SPDX-License-Identifier: Apache-2.0
const char* unit() { return "m"; }
