; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: in a loop over the lanes of a warp, which warp it is and which lane (quotient and remainder by 32 or more) are
; linear: the same for all lanes, and one more from lane to lane, or addresses could not be told in front. That holds
; where the first lane's number is a multiple of 32 (no bits in common with 31: twice) and no number is negative.
; CHECK: @simt.loops.conditions = {{.*}}[i32 9, {{.*}} i32 9, {{.*}} i32 9, {{.*}} i32 10, i32 9, {{.*}} i32 10, i32 9,
; CHECK: @simt.loops.always = {{.*}}[6 x i32]
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: [[FIRST:%first[0-9]*]] = phi i64
; CHECK: [[WARP:%[0-9]+]] = lshr {{(exact )?}}i64 [[FIRST]], 5
; CHECK: [[BEGINS:%[0-9]+]] = mul i64 [[WARP]],
; CHECK: [[LANE:%[0-9]+]] = and i64 [[FIRST]], 32
; CHECK: [[AT:%[0-9]+]] = add i64 [[BEGINS]], [[LANE]]
; CHECK: [[BYTES:%[0-9]+]] = shl i64 [[AT]], 2
; CHECK: [[BASE:%[0-9]+]] = add i64 [[BYTES]],
; CHECK: store i64 [[BASE]], ptr
; CHECK: store i64 4, ptr
; CHECK: store i64 31, ptr
; CHECK: call {{.*}}i8 @simt_loop_region(
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %n.at = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %n.at
  %rank = call i32 @simt.loops.rank(), !range !0
  %row = lshr i32 %rank, 5
  %lane = and i32 %rank, 63
  %begin = mul nsw i32 %row, %n
  %first = add nsw i32 %begin, %lane
  br label %turn
turn:
  %k = phi i32 [ 0, %entry ], [ %k.next, %turn ]
  %far = shl nsw i32 %k, 5
  %i = add nsw i32 %first, %far
  %i.wide = sext i32 %i to i64
  %at = getelementptr i32, ptr %to, i64 %i.wide
  store i32 %k, ptr %at
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %turn, label %behind
behind:
  %none = call i64 @simt.loops.warp(i32 0, i32 0, i32 -1, i64 0, i32 0)
  %end.at = getelementptr i32, ptr %to, i32 %rank
  store i32 5, ptr %end.at
  ret void
}
!0 = !{i32 0, i32 1024}
