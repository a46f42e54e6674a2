// SPDX-License-Identifier: Apache-2.0
// A program without a single #include: what CUDA's own header brings in (assert, printf, malloc, strings, clock, math).
struct label {
  char text[8];
};

__global__ void describe(const int* numbers, label* labels, int count) {
  const int i = threadIdx.x;
  assert(i < count);
  if (numbers[i] % 2 == 0)
    memcpy(labels[i].text, "even", 5);
  else
    memset(labels[i].text, 'o', 4);
  if (i == 0) printf("square root of %d: %.3f\n", numbers[count - 1], sqrt(double(numbers[count - 1])));
}

int main() {
  const int count = 4;
  int* numbers = static_cast<int*>(malloc(count * sizeof(int)));
  for (int i = 0; i < count; ++i) numbers[i] = atoi("7") * i;
  int* device_numbers;
  label* device_labels;
  cudaMalloc(&device_numbers, count * sizeof(int));
  cudaMalloc(&device_labels, count * sizeof(label));
  cudaMemset(device_labels, 0, count * sizeof(label));
  cudaMemcpy(device_numbers, numbers, count * sizeof(int), cudaMemcpyHostToDevice);
  describe<<<1, count>>>(device_numbers, device_labels, count);
  label labels[count];
  cudaMemcpy(labels, device_labels, sizeof(labels), cudaMemcpyDeviceToHost);
  for (const label& one : labels) printf("%s %d\n", one.text, int(strlen(one.text)));
  void* place = malloc(sizeof(label));
  label* made = new (place) label{"end"};
  puts(made->text);
  if (clock() == clock_t(-1) || time(nullptr) == time_t(-1)) exit(EXIT_FAILURE);
  free(place);
  free(numbers);
  cudaFree(device_labels);
  cudaFree(device_numbers);
}
