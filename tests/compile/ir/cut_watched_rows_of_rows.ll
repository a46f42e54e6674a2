; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: as cut_watched_rows.ll, but the block has several rows, whose y takes part. So x stays one index, and the access is
; announced by itself.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-NOT: @simt_loop_region(
; CHECK: call void @simt_loop_thread(
BODY
declare void @simt.loops.barrier() convergent
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  call void @simt.loops.barrier()
  %row = lshr i64 %x, 3
  %column = and i64 %x, 7
  %far = mul i64 %column, 100
  %most = add i64 %far, %row
  %sum = add i64 %most, %y
  %at = getelementptr i32, ptr %to, i64 %sum
  store i32 1, ptr %at
  ret void
}
