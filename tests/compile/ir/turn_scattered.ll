; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A warp a row of a sparse matrix. In the last turn, lanes that do not take part load what the first one does: columns have
; masks, what lies where they say has none.
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: icmp ugt i64 %left{{.*}}, 31
; CHECK: [[FIRST:%.*]] = freeze i32
; CHECK: %of.all{{.*}} = phi i32 [ %column{{.*}} ], [ [[FIRST]], {{.*}} ]
; CHECK-NOT: br
; CHECK: load float
; CHECK: select i1 {{.*}}, float %sum.next{{[^,]*}}, float
; CHECK: ret void
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %x.of = load ptr, ptr %args
  %columns.at = getelementptr i8, ptr %args, i64 8
  %columns = load ptr, ptr %columns.at
  %width.at = getelementptr i8, ptr %args, i64 16
  %width = load i64, ptr %width.at
  %rank = call i32 @simt.loops.rank(), !range !0
  %warp = lshr i32 %rank, 5
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
  %sum = phi float [ 0.0, %ahead ], [ %sum.next, %loop ]
  %element = add i64 %begin, %k
  %at = getelementptr i32, ptr %columns, i64 %element
  %column = load i32, ptr %at
  %wide = sext i32 %column to i64
  %there = getelementptr float, ptr %x.of, i64 %wide
  %v = load float, ptr %there
  %sum.next = fadd float %sum, %v
  %k.next = add nuw nsw i64 %k, 32
  %more = icmp slt i64 %k.next, %width
  br i1 %more, label %loop, label %behind
behind:
  %result = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %bits = bitcast float %result to i32
  %value = zext i32 %bits to i64
  %source = xor i32 %lane, 16
  %got = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value, i32 %source)
  %small = trunc i64 %got to i32
  %mine.index = zext i32 %rank to i64
  %mine = getelementptr i32, ptr %x.of, i64 %mine.index
  store i32 %small, ptr %mine
  ret void
}
!0 = !{i32 0, i32 1024}
