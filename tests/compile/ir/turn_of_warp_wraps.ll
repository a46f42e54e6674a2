; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; `i += warp.size()` is unsigned arithmetic, so the index may wrap. It does not if the limit, which is known at entry, is a
; step below the largest number: else the kernel runs without turns.
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: icmp s{{(gt|lt|le|ge)}} i64 %width, 92233720368547757{{75|76}}
; CHECK: call void @kernel.{{.*}}(ptr
; CHECK: load <32 x i32>
; CHECK: llvm.loop.vectorize.width", i32 32
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %to = load ptr, ptr %args
  %last = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %last
  %width.at = getelementptr i8, ptr %args, i64 16
  %width = load i64, ptr %width.at
  %rank = call i32 @simt.loops.rank(), !range !0
  %warp = lshr i32 %rank, 5
  %there = icmp slt i32 %warp, %n
  br i1 %there, label %goes_on, label %out
goes_on:
  %lane = and i32 %rank, 31
  %first = zext i32 %lane to i64
  %row = zext i32 %warp to i64
  %begin = mul i64 %row, 1000
  %enters = icmp slt i64 %first, %width
  br i1 %enters, label %ahead, label %behind
ahead:
  br label %loop
loop:
  %k = phi i64 [ %first, %ahead ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %ahead ], [ %sum.next, %loop ]
  %element = add i64 %begin, %k
  %at = getelementptr i32, ptr %to, i64 %element
  %v = load i32, ptr %at
  %sum.next = add i32 %sum, %v
  %k.next = add i64 %k, 32
  %more = icmp slt i64 %k.next, %width
  br i1 %more, label %loop, label %behind
behind:
  %result = phi i32 [ 0, %goes_on ], [ %sum.next, %loop ]
  %value = zext i32 %result to i64
  %source = xor i32 %lane, 16
  %got = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value, i32 %source)
  %small = trunc i64 %got to i32
  %wide = zext i32 %rank to i64
  %mine = getelementptr i32, ptr %to, i64 %wide
  store i32 %small, ptr %mine
  br label %out
out:
  ret void
}
!0 = !{i32 0, i32 1024}
