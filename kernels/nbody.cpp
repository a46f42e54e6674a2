// SPDX-License-Identifier: Apache-2.0
// Gravity between all pairs of bodies: a block loads as many bodies as it has threads into shared memory, and every
// thread adds up their pull on its own body.
#include <algorithm>
#include <cmath>
#include <random>
#include <simt/program.hpp>

namespace {

struct body {
  float x, y, z, mass;
};
struct vector3 {
  float x, y, z;
};

// Adds the acceleration that `other` gives to a body at `me`. Softened, so that a body does not pull itself.
SIMT_HOST_DEVICE void add_pull(const body& me, const body& other, vector3& sum) {
  const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  const float square = dx * dx + dy * dy + dz * dz + 1e-3f;
  const float scale = other.mass / (square * std::sqrt(square));
  sum.x += scale * dx;
  sum.y += scale * dy;
  sum.z += scale * dz;
}

SIMT_DEVICE void nbody(simt::thread t, simt::view<const body> bodies, simt::view<float, 2> acceleration) {
  body* tile = t.dynamic_shared<body>();
  const std::int64_t i = t.grid<1>(), n = bodies.size();
  const body me = i < n ? bodies[i] : body{};
  vector3 sum{};
  for (std::int64_t first = 0; first < n; first += t.block_dim().x) {
    const std::int64_t mine = first + t.thread_idx().x;
    if (mine < n) tile[t.thread_idx().x] = bodies[mine];
    t.sync();
    const std::int64_t loaded = n - first < t.block_dim().x ? n - first : t.block_dim().x;
    for (std::int64_t j = 0; j < loaded; ++j) add_pull(me, tile[j], sum);
    t.sync();
  }
  if (i >= n) return;
  acceleration(i, 0) = sum.x;
  acceleration(i, 1) = sum.y;
  acceleration(i, 2) = sum.z;
}

void run_nbody(simt::run& r) {
  const std::int64_t n = r.size("n");
  std::mt19937 engine(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<body> bodies(n);
  for (body& b : bodies) b = {uniform(engine), uniform(engine), uniform(engine), 1.f / static_cast<float>(n)};

  simt::launch_config config = r.cover<1>(n, 256);
  config = r.with_shared(config, config.block.x * static_cast<std::int64_t>(sizeof(body)));
  auto all = r.input("bodies", bodies);
  auto acceleration = r.output<float>("acceleration", {n, 3});
  r.launch([&] { simt::launch<nbody>(r.stream(), config, all, acceleration); });

  std::vector<float> wanted(n * 3);
  for (std::int64_t i = 0; i < n; ++i) {
    vector3 sum{};
    for (const body& other : bodies) add_pull(bodies[i], other, sum);
    wanted[3 * i] = sum.x;
    wanted[3 * i + 1] = sum.y;
    wanted[3 * i + 2] = sum.z;
  }
  r.expect(acceleration, wanted, 1e-3, 1);  // pulls cancel: the error is against their size, not the sum's
}

const simt::program nbody_program{{.name = "nbody",
                                   .summary = "gravity between all pairs of bodies, tiles of bodies in shared memory",
                                   .options = {{"n", "bodies", 1024, 1}},
                                   .geometry = "covers --n with blocks of 256"},
                                  run_nbody};

}  // namespace
