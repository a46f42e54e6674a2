// SPDX-License-Identifier: Apache-2.0
// One run of a program: options, geometry, the launches and their timing, the comparison's bookkeeping.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include <backends/api/device_limits.hpp>
#include <simt/program.hpp>
#include <simt/session.hpp>

namespace simt {

namespace {
timing spread(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  return {samples.front(), n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2, samples.back()};
}
dim3 to_dim3(const std::array<std::int64_t, 3>& a) { return {a[0], a[1], a[2]}; }
}  // namespace

std::string run::option_text(const std::string& name) const {
  if (const auto it = request_.options.find(name); it != request_.options.end()) return it->second;
  for (const auto& o : info_.options)
    if (o.name == name) return o.default_value;
  throw error(error_kind::invalid_argument,
              "program " + info_.name + " asks for option '" + name + "', which it does not declare");
}

std::int64_t run::option_integer(const std::string& name, const std::string& text) const {
  std::size_t used = 0;
  std::int64_t value = 0;
  try {
    value = std::stoll(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || text.empty())
    throw error(error_kind::invalid_argument, "--" + name + " takes a whole number, not '" + text + "'");
  for (const auto& o : info_.options)
    if (o.name == name && o.minimum && static_cast<double>(value) < *o.minimum)
      throw error(
          error_kind::invalid_argument,
          "--" + name + " must be at least " + std::to_string(static_cast<std::int64_t>(*o.minimum)) + ", not " + text);
  return value;
}

std::int64_t run::checked_size(const std::string& name, std::int64_t n) {
  if (n < 0)
    throw error(error_kind::invalid_argument,
                "'" + name + "': a size of " + std::to_string(n) + " elements makes no sense");
  if (n > std::int64_t{1} << 40)
    throw error(error_kind::out_of_memory,
                "'" + name + "' of " + std::to_string(n) + " elements does not fit memory; use a smaller size");
  return n;
}

std::int64_t run::elements(std::initializer_list<std::int64_t> extents) {
  // More elements than the host has bytes fit nowhere, whatever their type.
  static const std::int64_t host_bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  std::int64_t n = 1;
  std::string asked;
  bool fits = true;
  for (const std::int64_t e : extents) {
    asked += (asked.empty() ? "" : " x ") + std::to_string(e);
    fits = fits && !__builtin_mul_overflow(n, e, &n) && n <= host_bytes;
  }
  if (!fits)
    throw error(error_kind::out_of_memory, asked + " elements do not fit the host's memory of " +
                                               std::to_string(host_bytes) + " bytes; use a smaller size");
  return n;
}

launch_config run::own_or_given(launch_config own, int axes) const {
  if (request_.grid) own.grid = to_dim3(*request_.grid);
  if (request_.block) own.block = to_dim3(*request_.block);
  if (request_.shared_bytes) own.shared_bytes = *request_.shared_bytes;
  // A block over the device's limit is left to the launch to refuse: that is the mistake that comes first.
  const std::int64_t limit = backend::limits(backend::selected_device()).max_threads_per_block;
  const dim3& b = own.block;
  if (b.x <= limit && b.y <= limit && b.z <= limit && b.x * b.y * b.z <= limit)
    for (const auto& [option, size] : {std::pair{"--grid", own.grid}, std::pair{"--block", own.block}})
      if ((axes < 2 && size.y > 1) || (axes < 3 && size.z > 1))
        throw error(error_kind::invalid_argument, std::string(option) + " has more axes than " + info_.name +
                                                      " looks at (" + std::to_string(axes) +
                                                      "): the threads along the others would repeat its work");
  return own;
}

launch_config run::covering(dim3 n, dim3 block, int axes) const {
  launch_config own{.grid = {}, .block = request_.block ? to_dim3(*request_.block) : block};
  const auto blocks = [](std::int64_t elements, std::int64_t threads) {
    return threads < 1 ? 1 : std::max<std::int64_t>(1, (elements + threads - 1) / threads);
  };
  own.grid = {blocks(n.x, own.block.x), blocks(n.y, own.block.y), blocks(n.z, own.block.z)};
  return own_or_given(own, axes);
}

launch_config run::with_shared(launch_config config, std::int64_t bytes) const {
  if (request_.shared_bytes && *request_.shared_bytes < bytes)
    throw error(error_kind::invalid_argument, "--shared " + std::to_string(*request_.shared_bytes) +
                                                  " is too little: " + info_.name + " needs " + std::to_string(bytes) +
                                                  " bytes of dynamic shared memory a block here");
  config.shared_bytes = std::max(config.shared_bytes, bytes);
  return config;
}

void run::only_block(dim3 block, const std::string& why) const {
  if (!request_.block || to_dim3(*request_.block) == block) return;
  const auto text = [](const dim3& d) {
    return std::to_string(d.x) + "," + std::to_string(d.y) + (d.z == 1 ? "" : "," + std::to_string(d.z));
  };
  // A block over the device's limit is refused with that limit instead.
  check_launch({.grid = 1, .block = to_dim3(*request_.block)}, backend::limits(backend::selected_device()), info_.name);
  throw error(error_kind::invalid_argument, info_.name + " works with blocks of " + text(block) +
                                                " threads only, not " + text(to_dim3(*request_.block)) + ": " + why);
}

namespace {
std::int64_t count_of(const detail::array_record& a) {
  std::int64_t count = 1;
  for (const std::int64_t e : a.extents) count *= e;
  return count;
}
}  // namespace

void run::run_once(const std::function<void()>& launches) {
  launches();
  backend::synchronize_stream(stream_.handle());
}

void run::launch(const std::function<void()>& launches) {
  const auto upload = [&] {
    for (const auto& a : arrays_)
      if (a.upload) a.upload();
  };
  const auto download = [&] {
    for (const auto& a : arrays_)
      if (a.download) a.download();
  };
  if (request_.bench_repeat > 0) {
    backend::record_launches(false);
    std::vector<double> kernel, with_copies;
    event start, stop;
    for (int i = 0; i <= request_.bench_repeat; ++i) {  // the first is the warm-up
      upload();
      backend::synchronize_device();
      start.record(stream_);
      launches();
      stop.record(stream_);
      stop.synchronize();
      if (i > 0) kernel.push_back(elapsed_ms(start, stop));
    }
    using clock = std::chrono::steady_clock;
    for (int i = 0; i <= request_.bench_repeat; ++i) {
      backend::synchronize_device();
      const auto from = clock::now();
      upload();
      launches();
      download();
      backend::synchronize_device();
      if (i > 0) with_copies.push_back(std::chrono::duration<double, std::milli>(clock::now() - from).count());
    }
    report_.kernel_ms = spread(std::move(kernel));
    report_.with_copies_ms = spread(std::move(with_copies));
  } else {
    run_once(launches);
    unwritten_.clear();
    for (const auto& a : arrays_)
      unwritten_.push_back(a.output ? backend::unwritten_elements(a.device, a.element_bytes, count_of(a)) : 0);
    download();
  }
  for (const auto& a : arrays_)
    if (a.output) report_.result.outputs[a.name] = a.summary();
}

bool run::unwritten_among(const detail::array_record& a, const std::vector<std::size_t>& elements) {
  return std::any_of(elements.begin(), elements.end(), [&](std::size_t i) {
    return backend::unwritten_elements(static_cast<const char*>(a.device) + i * a.element_bytes, a.element_bytes, 1) >
           0;
  });
}

void run::report_unwritten() {
  for (std::size_t i = 0; i < unwritten_.size(); ++i) {
    const detail::array_record& a = arrays_[i];
    const bool known_right = a.as_expected || report_.result.status == result_status::match;
    if (unwritten_[i] <= 0 || known_right) continue;
    finding f;
    f.rule = rule::unwritten_output;
    f.severity = severity::warning;
    f.object = a.name;
    f.type = a.type;
    f.count = unwritten_[i];
    f.cause = cause::output_never_written;
    f.facts.count = unwritten_[i];
    f.facts.size = count_of(a);
    backend::add_finding(std::move(f));
  }
  unwritten_.clear();
}

void run::expect(bool ok, const std::string& detail) {
  if (ok)
    matched();
  else
    mismatch(detail);
}

void run::unchecked(const std::string& why) {
  report_.result.status = result_status::unchecked;
  report_.result.detail = why;
}

void run::matched() {
  if (report_.result.status == result_status::unchecked) report_.result.status = result_status::match;
}

void run::mismatch(const std::string& detail) {
  report_.result.status = result_status::mismatch;
  report_.result.detail += (report_.result.detail.empty() ? "" : "; ") + detail;
}

}  // namespace simt
