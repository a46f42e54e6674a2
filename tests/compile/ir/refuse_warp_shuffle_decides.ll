; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What a shuffle gives differs between lanes.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp under a condition that differs between its lanes
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %got = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 5, i32 1)
  %low = icmp ult i64 %got, 40
  br i1 %low, label %some, label %join
some:
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  br label %join
join:
  %w = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 2, i32 0)
  store i64 %w, ptr %args
  ret void
}
