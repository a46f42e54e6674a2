; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A loop over warps; in it one over the lanes that leave their values, and what follows: which lane's value each takes
; is known.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-SAME: i64 0, i64 {{[012]}} }
; CHECK-LABEL: define internal void @kernel.loops.64x1(
; CHECK-NOT: @simt.loops.
; CHECK: alloca [32 x i32]
; CHECK: %first = phi i64
; CHECK: store i32 %{{.*}}, ptr
; CHECK: icmp ult i64 {{.*}}, 31
; CHECK: shufflevector <32 x i32> %{{.*}}, <32 x i32> {{.*}} <i32 16, i32 17,
; CHECK: add {{.*}}%first{{.*}} 32
; CHECK: ret void
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
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
  %small = trunc i64 %got to i32
  store i32 %small, ptr %at
  ret void
}
!0 = !{i32 0, i32 1024}
