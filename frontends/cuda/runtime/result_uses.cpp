// SPDX-License-Identifier: Apache-2.0
// A copy is looked at where its last byte is one that nobody wrote: that is so where a grid is too small for its array.
// A launch's results count as fetched as soon as anything is copied behind it, or where the host could read them
// without a copy.
#include "result_uses.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include <backends/sim/frontend.hpp>
#include <simt/session.hpp>

#include "user_place.hpp"

namespace simt_cuda {
namespace {

namespace frontend = simt::frontend;

struct partial_copy {
  std::uintptr_t pc;
  std::string object;
  std::size_t bytes;
  std::int64_t unwritten;
};
constexpr std::size_t kMostNotes = 3;

std::mutex results_mutex;
struct results {
  std::vector<partial_copy> partial;               // one for each place of the program
  std::set<const void*> copied_from;               // allocations
  std::string last_kernel;                         // empty: none was launched
  bool is_fetched = false;                         // something was copied since
  bool is_unknown = false;                         // the host may have read without a copy that is seen here
  std::vector<frontend::allocation_label> unread;  // freed since the last launch: what kernels wrote, and nobody copied
};
// Static objects of the program free their memory after those of the runtime are gone.
results& known() {
  static auto* const all = new results;
  return *all;
}

// Whether anybody follows what is written. Else all that follows costs nothing.
bool is_followed() { return frontend::unwritten_bytes(nullptr, 0) >= 0; }

std::string quoted(const std::string& name) { return "'" + name + "'"; }

// Adds the allocation, if it has a name, kernels have written it since the host did, and nothing was copied from it.
void add_unread(const void* begin) {
  results& r = known();
  constexpr std::int64_t kLookedAt = 4096;  // words: kernels rarely leave out the first ones
  if (r.copied_from.contains(begin)) return;
  const frontend::allocation_label label = frontend::label_of(begin);
  const std::int64_t words = std::min(static_cast<std::int64_t>(label.bytes / 4), kLookedAt);
  const std::int64_t unwritten = simt::backend::unwritten_elements(begin, 4, words);
  if (!label.name.empty() && unwritten >= 0 && unwritten < words) r.unread.push_back(label);
}

// "'sum'"; of one of several that are called alike, as all vectors are, also its size and where it comes from.
std::string described(const frontend::allocation_label& a, const std::vector<frontend::allocation_label>& all) {
  if (std::ranges::count(all, a.name, &frontend::allocation_label::name) == 1) return quoted(a.name);
  const std::string place = innermost_place(a.stack);  // ", at x.cu:7 in main"
  return quoted(a.name) + " (" + std::to_string(a.bytes) + " bytes" +
         (place.empty() ? "" : ", allocated" + place.substr(1)) + ")";
}

}  // namespace

void result_of_launch(const char* kernel) {
  if (!is_followed()) return;
  const std::lock_guard lock(results_mutex);
  results& r = known();
  r.last_kernel = kernel;
  r.is_fetched = false;
  r.unread.clear();
}

void result_copied(const void* from, std::size_t bytes, std::uintptr_t pc, bool captured) {
  if (!is_followed()) return;
  const std::lock_guard lock(results_mutex);
  results& r = known();
  r.is_unknown |= captured;
  if (captured || bytes == 0) return;
  r.is_fetched = true;
  const frontend::allocation_label label = frontend::label_of(from);
  r.copied_from.insert(label.begin);
  const auto* const last = static_cast<const char*>(from) + bytes - 1;
  if (label.name.empty() || r.partial.size() == kMostNotes || frontend::unwritten_bytes(last, 1) != 1) return;
  if (std::ranges::find(r.partial, pc, &partial_copy::pc) != r.partial.end()) return;
  const std::int64_t unwritten = frontend::unwritten_bytes(from, bytes);
  if (unwritten < static_cast<std::int64_t>(bytes)) r.partial.push_back({pc, label.name, bytes, unwritten});
}

void result_freed(const void* begin) {
  if (!is_followed()) return;
  const std::lock_guard lock(results_mutex);
  results& r = known();
  const frontend::memory_facts facts = frontend::facts_of(begin);
  if (!facts.live) return;
  r.is_unknown |= facts.home != frontend::memory_home::device;
  if (!r.is_unknown && !r.is_fetched && !r.last_kernel.empty()) add_unread(begin);
  r.copied_from.erase(begin);
}

std::vector<std::string> notes_of_results() {
  const std::lock_guard lock(results_mutex);
  results& r = known();
  std::vector<std::string> notes;
  for (const partial_copy& p : r.partial)
    notes.push_back(std::to_string(p.unwritten) + " of the " + std::to_string(p.bytes) +
                    " bytes that were copied from " + quoted(p.object) + innermost_place({p.pc}) +
                    ", were never written: right for an array that is not filled up, else look at grid and guards");
  if (r.is_unknown || r.is_fetched || r.last_kernel.empty() || !frontend::live_host_visible().empty()) return notes;
  for (const void* begin : frontend::live_device_memory()) add_unread(begin);
  if (r.unread.empty()) return notes;
  std::string names;
  for (std::size_t i = 0; i < r.unread.size(); ++i) names += (i == 0 ? "" : ", ") + described(r.unread[i], r.unread);
  notes.push_back("nothing was copied to the host after the last launch, of " + r.last_kernel +
                  ", and nothing at all from " + names + ", which kernels have written");
  return notes;
}

}  // namespace simt_cuda
