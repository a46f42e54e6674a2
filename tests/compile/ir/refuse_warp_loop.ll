; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A warp's lanes leave the loop in rounds of their own.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp under a condition that differs between its lanes
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %rank = call i32 @simt.loops.rank()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  store i64 %v, ptr %args
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %rank
  br i1 %again, label %loop, label %end
end:
  ret void
}
