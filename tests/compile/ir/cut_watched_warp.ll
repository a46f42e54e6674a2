; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: behind the loops of each operation the runtime hears of the meeting; of a shuffle, whose value each lane asks
; for. Where that is known here, it is one array of constants.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK: @simt.loops.asked = private constant [32 x i32] [i32 16, i32 17, i32 18, {{.*}}, i32 30, i32 31, i32 0, i32 1, {{.*}}, i32 15]
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: call void @simt_loop_block(
; CHECK: %first = phi i64
; CHECK: call void @simt_loop_thread(
; CHECK: call void @simt_loop_meeting(ptr %b, i64 %first, i32 4, i32 %live, i32 32, ptr nonnull @simt.loops.asked)
; CHECK: store i32 %{{.*}}, ptr %{{.*}}
; CHECK: call void @simt_loop_meeting(ptr %b, i64 %first, i32 4, i32 %live, i32 32, ptr {{(nonnull )?}}%sources
; CHECK: call void @simt_loop_meeting(ptr %b, i64 %first, i32 0, i32 %live, i32 32, ptr null)
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  %wide = zext i32 %rank to i64
  %at = getelementptr i32, ptr %to, i64 %wide
  %v = load i32, ptr %at
  %value = zext i32 %v to i64
  %lane = and i32 %rank, 31
  %source = xor i32 %lane, 16
  %got = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value, i32 %source)
  %gives = trunc i64 %got to i32
  %got.again = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value, i32 %gives)
  %small = trunc i64 %got.again to i32
  store i32 %small, ptr %at
  %none = call i64 @simt.loops.warp(i32 0, i32 0, i32 -1, i64 0, i32 0)
  %beside = xor i64 %wide, 1
  %other = getelementptr i32, ptr %to, i64 %beside
  %taken = load i32, ptr %other
  store i32 %taken, ptr %at
  ret void
}
!0 = !{i32 0, i32 1024}
