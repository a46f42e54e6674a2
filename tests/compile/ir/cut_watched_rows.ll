; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: i / 8 and i % 8 are linear where the threads of a row count as rows of eight, which the region says at its end. The
; place in such a row is the first index (a column of 100 words), the row the second one.
; CHECK: @simt.loops.region = private constant { {{.*}}, i32 8 }
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: store i64 400, ptr
; CHECK: store i64 4, ptr
; CHECK: call {{.*}}i8 @simt_loop_region(
BODY
declare void @simt.loops.barrier() convergent
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  call void @simt.loops.barrier()
  %row = lshr i64 %x, 3
  %column = and i64 %x, 7
  %far = mul i64 %column, 100
  %sum = add i64 %far, %row
  %at = getelementptr i32, ptr %to, i64 %sum
  store i32 1, ptr %at
  ret void
}
