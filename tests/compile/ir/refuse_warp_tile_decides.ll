; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The vote of a tile differs between the tiles of a warp.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp under a condition that differs between its lanes
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %rank = call i32 @simt.loops.rank()
  %first = and i32 %rank, 24
  %mask = shl i32 255, %first
  %got = call i64 @simt.loops.warp(i32 5, i32 0, i32 %mask, i64 %x, i32 0)
  %none = icmp eq i64 %got, 0
  br i1 %none, label %some, label %join
some:
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 0)
  br label %join
join:
  %w = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 2, i32 0)
  store i64 %w, ptr %args
  ret void
}
