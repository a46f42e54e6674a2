; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; threadIdx.x / 32 is the same for a warp where rows are whole, or there is one: the loops are for these.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-SAME: i64 1, i64 {{[012]}} }
; CHECK-NOT: 8x8
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-NOT: @simt.loops.
; CHECK: ret void
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %warp = lshr i64 %x, 5
  %zero = icmp eq i64 %warp, 0
  br i1 %zero, label %some, label %join
some:
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 %y, i32 0)
  br label %join
join:
  %m = phi i64 [ 0, %entry ], [ %v, %some ]
  %w = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 %m, i32 0)
  store i64 %w, ptr %at
  ret void
}
