; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Those who do not take part go on to wait: they have not left.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp under a condition that differs between its lanes
BODY
declare void @simt.loops.barrier() convergent
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %v = load i32, ptr %at
  %enough = icmp sgt i32 %v, 3
  br i1 %enough, label %some, label %end
some:
  %n = call i64 @simt.loops.warp(i32 7, i32 0, i32 15, i64 1, i32 0)
  store i64 %n, ptr %to
  br label %end
end:
  call void @simt.loops.barrier()
  store i32 1, ptr %at
  ret void
}
