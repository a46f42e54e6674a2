; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Warps leave as a whole, which is asked once a warp: whoever goes on finds all lanes there, and asks no more.
; CHECK-LABEL: define internal void @kernel.loops.64x1(
; CHECK: %warp.of_warp = lshr
; CHECK-NEXT: %there.of_warp = icmp slt i32 %warp.of_warp, %n
; CHECK-NEXT: br i1 %there.of_warp
; CHECK: load <32 x i32>
; CHECK-NOT: select <32 x i1>
; CHECK: shufflevector <32 x i32> %{{.*}}, <32 x i32> {{.*}} <i32 16, i32 17,
; CHECK: ret void
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %to = load ptr, ptr %args
  %last = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %last
  %rank = call i32 @simt.loops.rank(), !range !0
  %warp = lshr i32 %rank, 5
  %there = icmp slt i32 %warp, %n
  br i1 %there, label %goes_on, label %out
goes_on:
  %wide = zext i32 %rank to i64
  %at = getelementptr i32, ptr %to, i64 %wide
  %v = load i32, ptr %at
  %value = zext i32 %v to i64
  %lane = and i32 %rank, 31
  %source = xor i32 %lane, 16
  %got = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value, i32 %source)
  %small = trunc i64 %got to i32
  store i32 %small, ptr %at
  br label %out
out:
  ret void
}
!0 = !{i32 0, i32 1024}
