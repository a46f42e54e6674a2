; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The question is not about whole warps: -31 < t < 32 would be t < 31.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp under a condition that differs between its lanes
BODY
declare void @simt.loops.barrier() convergent
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %tx = trunc i64 %x to i32
  %ty = trunc i64 %y to i32
  %width = trunc i64 %dx to i32
  %row = mul i32 %ty, %width
  %t = add i32 %row, %tx
  %up = add i32 %t, 31
  %first = icmp ult i32 %up, 62
  br i1 %first, label %one, label %join
one:
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  br label %join
join:
  %got = phi i64 [ %v, %one ], [ 0, %entry ]
  call void @simt.loops.barrier()
  %bid = trunc i64 %bx to i32
  %begin = mul i32 %bid, %width
  %i = add i32 %begin, %tx
  %warp = sdiv i32 %i, 32
  %limit = load i32, ptr %to
  %some = icmp slt i32 %warp, %limit
  br i1 %some, label %two, label %end
two:
  %w = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  br label %end
end:
  %got.again = phi i64 [ %w, %two ], [ %got, %join ]
  call void @simt.loops.barrier()
  %at = getelementptr i64, ptr %to, i64 %x
  store i64 %got.again, ptr %at
  ret void
}
