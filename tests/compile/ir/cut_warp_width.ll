; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A row's number times its length: only where rows are multiples of 32.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-SAME: i64 2, i64 {{[012]}} }
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
  %row = mul i64 %y, %dx
  %tid = add i64 %row, %x
  %warp = lshr i64 %tid, 5
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
