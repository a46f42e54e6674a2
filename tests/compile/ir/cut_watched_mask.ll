; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: which lanes take part is known when it runs: the engine compares their masks, and the detector hears of those together
; that name each other.
; CHECK: call void @simt_loop_masks(ptr %b, i32 {{.*}}, i32 %live, ptr {{(nonnull )?}}[[MASKS:%[a-z0-9.]+]], i32 7)
; CHECK-NEXT: call void @simt_loop_meeting_of_masks(ptr %b, i64 {{.*}}, i32 7, i32 %live, ptr {{(nonnull )?}}[[MASKS]], ptr null)
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %mask = load i32, ptr %args
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 %mask, i64 1, i32 0)
  store i64 %v, ptr %args
  ret void
}
