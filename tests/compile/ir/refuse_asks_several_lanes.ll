; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Each lane asks for another: a matched one.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp under a condition that differs between its lanes
BODY
declare void @simt.loops.barrier() convergent
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %v = load i32, ptr %at
  %enough = icmp sgt i32 %v, 3
  %said = zext i1 %enough to i64
  %named = call i64 @simt.loops.warp(i32 8, i32 0, i32 -1, i64 %said, i32 0)
  %mask = trunc i64 %named to i32
  %first = call i32 @llvm.cttz.i32(i32 %mask, i1 false)
  %value = zext i32 %v to i64
  %got = call i64 @simt.loops.warp(i32 1, i32 0, i32 -1, i64 %value, i32 %first)
  %large = icmp ugt i64 %got, 10
  br i1 %large, label %some, label %join
some:
  %n = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  br label %join
join:
  %sum = phi i64 [ %n, %some ], [ 0, %entry ]
  call void @simt.loops.barrier()
  %small = trunc i64 %sum to i32
  store i32 %small, ptr %at
  ret void
}
declare i32 @llvm.cttz.i32(i32, i1)
