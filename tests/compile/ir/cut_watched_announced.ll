; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: what a header announces by itself, as of the fragments of a product, waits for nobody. Its thread begins in
; front of it.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: call void @simt_loop_thread(
; CHECK: call void @__tsan_read16(
; CHECK: call void @simt_loop_barrier(
BODY
declare void @simt.loops.barrier() convergent
declare i32 @simt.loops.rank() memory(none)
declare void @__tsan_read16(ptr)
KERNEL sanitize_thread {
entry:
  %from = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  %i = zext i32 %rank to i64
  %from.i = getelementptr [16 x i8], ptr %from, i64 %i
  call void @__tsan_read16(ptr %from.i)
  call void @simt.loops.barrier()
  ret void
}
!0 = !{i32 0, i32 1024}
