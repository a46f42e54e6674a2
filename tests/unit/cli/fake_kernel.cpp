// The source that findings of the fake module point at; never compiled.
SIMT_DEVICE void count_racy(simt::thread t, simt::view<const float> x, simt::view<int> bins) {
  for (auto i : t.grid_stride(x.size())) {
    const auto bin = static_cast<std::ptrdiff_t>(x[i]);
    // Nothing orders this with the other threads.
    if (bins[bin] < 0) continue;
    bins[bin] += 1;
  }
}
