; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: as cut_watched_rows.ll, of an int, as `const int i = threadIdx.x` is.
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
  %i = trunc i64 %x to i32
  %row32 = sdiv i32 %i, 8
  %row = sext i32 %row32 to i64
  %column32 = srem i32 %i, 8
  %column = sext i32 %column32 to i64
  %far = mul i64 %column, 100
  %sum = add i64 %far, %row
  %at = getelementptr i32, ptr %to, i64 %sum
  store i32 1, ptr %at
  ret void
}
