// SPDX-License-Identifier: Apache-2.0
// What is typed behind --explore. Apart from the search (explore.cpp), because each command line may have it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "step_search.hpp"

namespace simt::cli {

explore_bound read_explore_bound(const std::string& text) {
  explore_bound out;
  bool named = false;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    double number = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const std::string_view unit(stop, static_cast<std::size_t>(value.data() + value.size() - stop));
    const bool whole = error == std::errc() && unit.empty() && number >= 0 && number <= 1000 &&
                       number == static_cast<double>(static_cast<int>(number));
    if (key == "bound" && (whole || value == "all")) {
      out.preemptions = whole ? static_cast<int>(number) : -1;
      named = true;
    } else if (key == "departures" && whole) {
      out.departures = static_cast<int>(number);
      if (!named) out.preemptions = -1;
    } else if (key == "time" && error == std::errc() && number > 0 && (unit.empty() || unit == "s" || unit == "m")) {
      out.seconds = unit == "m" ? number * 60 : number;
    } else {
      throw std::runtime_error(
          fmt::format("--explore takes bound=N (preemptions, or all), departures=N and time=10s, "
                      "not \"{}\"",
                      word));
    }
  }
  return out;
}

}  // namespace simt::cli
