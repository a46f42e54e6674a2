// SPDX-License-Identifier: Apache-2.0
// Unified memory: classes with new/delete overloaded to managed memory, strings, a linked list walked by a kernel.
#include <cstdio>
#include <cstring>
#include <string>
class Managed {
 public:
  void *operator new(size_t len) {
    void *ptr;
    cudaMallocManaged(&ptr, len);
    cudaDeviceSynchronize();
    return ptr;
  }
  void operator delete(void *ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
};
class String : public Managed {
  int length;
  char *data;

 public:
  String() : length(0), data(0) {}
  String(const char *s) : length(0), data(0) { _realloc((int)strlen(s)); strcpy(data, s); }
  String(const String &s) : length(0), data(0) { _realloc(s.length); strcpy(data, s.data); }
  ~String() { cudaFree(data); }
  String &operator=(const char *s) {
    _realloc((int)strlen(s));
    strcpy(data, s);
    return *this;
  }
  __host__ __device__ char &operator[](int pos) { return data[pos]; }
  __host__ __device__ const char *c_str() const { return data; }

 private:
  void _realloc(int len) {
    cudaFree(data);
    length = len;
    cudaMallocManaged(&data, length + 1);
  }
};
struct DataElement : public Managed {
  String name;
  int value;
};
struct Node {
  int key;
  Node *next;
};
__global__ void Kernel_by_pointer(DataElement *elem) {
  printf("On device by pointer:       name=%s, value=%d\n", elem->name.c_str(), elem->value);
  elem->name[0] = 'p';
  elem->value++;
}
__global__ void Kernel_by_ref(DataElement &elem) {
  printf("On device by ref:           name=%s, value=%d\n", elem.name.c_str(), elem.value);
  elem.name[0] = 'r';
  elem.value++;
}
__global__ void walk(const Node *head, int *sum) {
  int s = 0;
  for (const Node *n = head; n != nullptr; n = n->next) s += n->key;
  *sum = s;
}
__managed__ int result;
int main(void) {
  DataElement *e = new DataElement;
  e->value = 10;
  e->name = "hello";
  Kernel_by_pointer<<<1, 1>>>(e);
  cudaDeviceSynchronize();
  printf("On host (after by-pointer): name=%s, value=%d\n", e->name.c_str(), e->value);
  Kernel_by_ref<<<1, 1>>>(*e);
  cudaDeviceSynchronize();
  printf("On host (after by-ref):     name=%s, value=%d\n", e->name.c_str(), e->value);
  delete e;
  Node *head = nullptr;
  for (int i = 1; i <= 20; ++i) {
    Node *n;
    cudaMallocManaged(&n, sizeof(Node));
    n->key = i * i;
    n->next = head;
    head = n;
  }
  walk<<<1, 1>>>(head, &result);
  cudaDeviceSynchronize();
  printf("sum %d\n", result);
  while (head) {
    Node *n = head->next;
    cudaFree(head);
    head = n;
  }
  cudaDeviceReset();
  return 0;
}
