; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A launch in a lambda that a std::function holds takes its block from what was captured. Who makes the lambda has written
; it there: 32 x 8 threads, a shape that no launch names by constants.
; CHECK: @simt.loops.copies = private constant [1 x {{.*}}] [{{.*}} { i64 32, i64 8, i64 1, ptr @kernel.loops.32x8, i64 {{.*}} }]
; CHECK-NOT: @kernel.loops.16x16
BODY
declare void @simt.loops.barrier() convergent
declare void @_ZN9simt_cuda9configureE4dim3S0_m(i64, i32, i64, i32, i64)
declare void @launch(ptr)
declare ptr @new(i64)
declare void @call(ptr)
define internal void @invoke(ptr %function) {
  %captured = load ptr, ptr %function
  %row.at = getelementptr i8, ptr %captured, i64 8
  %row = load i64, ptr %row.at
  %plane.at = getelementptr i8, ptr %captured, i64 16
  %plane = load i32, ptr %plane.at
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 %row, i32 %plane, i64 0)
  call void @launch(ptr @body)
  ret void
}
define void @host(ptr %to) {
  %function = alloca { ptr, ptr }
  %elsewhere = alloca [64 x i8]
  %other.at = getelementptr i8, ptr %elsewhere, i64 8
  store i64 68719476752, ptr %other.at
  %other.plane = getelementptr i8, ptr %elsewhere, i64 16
  store i32 1, ptr %other.plane
  %captured = call ptr @new(i64 24)
  store ptr %to, ptr %captured
  %x = getelementptr i8, ptr %captured, i64 8
  store <2 x i32> <i32 32, i32 8>, ptr %x
  %z = getelementptr i8, ptr %captured, i64 16
  store i32 1, ptr %z
  store ptr %captured, ptr %function
  %invoker = getelementptr i8, ptr %function, i64 8
  store ptr @invoke, ptr %invoker
  call void @call(ptr %function)
  ret void
}
KERNEL {
entry:
  %to = load ptr, ptr %args
  %row = getelementptr i32, ptr %to, i64 %y
  %at = getelementptr i32, ptr %row, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.barrier()
REPEAT 1100: store volatile i32 #, ptr %to
  ret void
}
