// SPDX-License-Identifier: Apache-2.0
// A finding as a picture for the HTML page: who did what when, and which element of the array it was. Inline SVG that
// needs nothing from elsewhere; its colours are variables of the page.
#pragma once

#include <string>

#include "finding.hpp"

namespace simt {

// Two threads that race: a line each, with the barriers that both have passed and what each of them did behind the
// last, and the elements around the one they met at. An access outside an array: its end, and where the access went.
// Empty for other findings.
std::string conflict_drawing(const finding& f);

}  // namespace simt
