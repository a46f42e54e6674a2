; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Lanes name different ones, as of a match: the engine compares the masks of those who are there, once a warp, and makes
; a reduction by them.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: call void @simt_loop_warp(i32 8, i32 0, i32 %[[live:.*]], i32 32, ptr nonnull %{{.*}}, ptr nonnull %{{.*}})
; CHECK: call void @simt_loop_masks(ptr %b, i32 %{{.*}}, i32 %[[live]], ptr nonnull %[[masks:.*]], i32 10)
; CHECK: call void @simt_loop_warp_of_masks(i32 10, i32 0, i32 %[[live]], ptr nonnull %[[masks]], ptr nonnull %{{.*}}, ptr nonnull %{{.*}})
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
KERNEL {
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %v = load i32, ptr %at
  %value = zext i32 %v to i64
  %named = call i64 @simt.loops.warp(i32 8, i32 0, i32 -1, i64 %value, i32 0)
  %mask = trunc i64 %named to i32
  %sum = call i64 @simt.loops.warp(i32 10, i32 0, i32 %mask, i64 %value, i32 0)
  %small = trunc i64 %sum to i32
  store i32 %small, ptr %at
  ret void
}
