; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Between two loops over the threads the block waits for the others, once.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-SAME: i64 1, i64 0, i64 0 }
; CHECK-LABEL: define internal void @kernel.loops.64x1(
; CHECK-NOT: @simt.loops.
; CHECK-NOT: call void @simt_grid_barrier
; CHECK: store i32 1,
; CHECK: icmp ult i64 {{.*}}, 63
; CHECK: call void @simt_grid_barrier(ptr %b)
; CHECK-NOT: call void @simt_grid_barrier
; CHECK: load i32,
; CHECK: store i32 %
; CHECK: icmp ult i64 {{.*}}, 63
; CHECK: ret void
BODY
declare void @simt.loops.grid_barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.grid_barrier()
  %back = sub i64 63, %x
  %other = getelementptr i32, ptr %to, i64 %back
  %v = load i32, ptr %other
  %next = getelementptr i32, ptr %at, i64 64
  store i32 %v, ptr %next
  ret void
}
