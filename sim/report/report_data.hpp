// SPDX-License-Identifier: Apache-2.0
// A run report as data for other processes: CBOR (RFC 8949), by the same schema as the JSON file.
//
// Nothing is lost on the way but addresses that mean something in one process only: access::callers, finding::leaked,
// and access::pc where the line of the source is known.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "run_report.hpp"

namespace simt {

std::string report_bytes(const run_report& report);

// Text or bytes that are no report or order, or not a whole one; what() says what is wrong with them.
struct report_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws report_error.
run_report report_from_bytes(std::string_view bytes);

// One order, for the process that is to replay it. order_from_text throws report_error.
std::string order_text(const recorded_order& order);
recorded_order order_from_text(std::string_view text);
// The same of what a search asks of a run.
std::string steps_text(const step_request& steps);
step_request steps_from_text(std::string_view text);

// A report from its JSON file, without what only this machine has a use for. Throws report_error.
run_report report_from_json(std::string_view text);

}  // namespace simt
