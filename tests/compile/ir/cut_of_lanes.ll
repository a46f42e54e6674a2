; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What lanes keep from one shuffle to the next lies in 32 elements that the warps have one after the other; what is needed
; behind the barrier, in an element for each thread. (The second number of the loop_body's are bytes for each thread.)
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null, {{.*}}, i64 4, i64 1, i64 {{[012]}}, i64 {{[01]}} }
; CHECK-LABEL: define internal void @kernel.loops.64x1(
BODY
declare void @simt.loops.barrier() convergent
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %to = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  %wide = zext i32 %rank to i64
  %at = getelementptr i32, ptr %to, i64 %wide
  %v = load i32, ptr %at
  %lane = and i32 %rank, 31
  %value = zext i32 %v to i64
  %source = xor i32 %lane, 16
  %got = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value, i32 %source)
  %small = trunc i64 %got to i32
  %sum = add i32 %small, %v
  %value.again = zext i32 %sum to i64
  %source.again = xor i32 %lane, 8
  %got.again = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value.again, i32 %source.again)
  %small.again = trunc i64 %got.again to i32
  %sum.again = add i32 %small.again, %sum
  call void @simt.loops.barrier()
  store i32 %sum.again, ptr %at
  ret void
}
!0 = !{i32 0, i32 1024}
