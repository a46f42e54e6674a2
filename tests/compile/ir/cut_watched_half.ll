; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: half of the lanes, for all of them: whether somebody of the other half comes is seen when it runs.
; CHECK: call void @simt_loop_masks(ptr %b, i32 {{.*}}, i32 %live, ptr {{(nonnull )?}}[[MASKS:%[a-z0-9.]+]], i32 7)
; CHECK-NEXT: call void @simt_loop_meeting_of_masks(ptr %b, i64 {{.*}}, i32 7, i32 %live, ptr {{(nonnull )?}}[[MASKS]], ptr null)
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 65535, i64 1, i32 0)
  store i64 %v, ptr %args
  ret void
}
