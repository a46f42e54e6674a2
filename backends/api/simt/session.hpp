// SPDX-License-Identifier: Apache-2.0
// What a backend does around one run of a program: settings before, launches and findings after. Host only; the
// backend defines these functions, backends/api/module.cpp calls them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <simt/backend.hpp>
#include <simt/module.hpp>

namespace simt::backend {

std::string variant();  // "sim", "check", "cuda"
std::vector<device_summary> describe_devices();
// What `simrun devices` says of any device; backends add what only they know. Defined in backends/api/device_text.cpp.
device_summary describe(const device_properties& device);

// Applies workers, schedule, timeout, checks. Throws simt::error(unsupported) for what this variant cannot do.
void begin_run(const run_request& request);
// Findings, notes and launches of the run since begin_run, added to the report. Never throws.
void end_run(run_report& report);
// The process was asked to end by this signal: what runs ends soon and its report is partial (end_run says so). From
// any thread. On a GPU launches cannot be ended; then only interrupted_by() tells.
void interrupt(int signal);
int interrupted_by();  // 0: by none
// From here on launches are recorded (bench turns it off for repetitions).
void record_launches(bool on);

// Of `count` elements at a device address, how many no kernel has written since the run began; -1: not known.
std::int64_t unwritten_elements(const void* device, std::size_t element_bytes, std::int64_t count);
// Adds a finding of the host side of the run (unwritten-output).
void add_finding(finding f);

}  // namespace simt::backend
