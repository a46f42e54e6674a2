; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A ballot of the lower half of a warp's lanes.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp under a condition that differs between its lanes
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %rank = call i32 @simt.loops.rank()
  %lane = and i32 %rank, 31
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %vote, label %end
vote:
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  store i64 %v, ptr %args
  br label %end
end:
  %w = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  ret void
}
