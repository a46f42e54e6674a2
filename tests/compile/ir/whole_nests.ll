; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; Rows of 16 threads with guards in x and y: it is asked in front of all rows whether everybody meets them, and whether an
; index wraps. If so, the loops ask nothing, and the index is a sum of theirs.
define void @guarded(ptr noalias %b, ptr noalias %args, ptr noalias %arrays, i64 %x, i64 %y, i64 %z, i64 %dx, i64 %dy, i64 %dz, i64 %bx, i64 %by) "simt.loops_of_block" {
; CHECK-LABEL: define void @guarded
; CHECK: [[X:%.*]] = freeze i32 %x.first
; CHECK: [[WIDE_X:%.*]] = sext i32 [[X]] to i64
; CHECK: [[LAST_X:%.*]] = add i64 [[WIDE_X]], 15
; CHECK: icmp sle i64 [[LAST_X]], 2147483647
; CHECK: [[N:%.*]] = sext i32 %{{.*}} to i64
; CHECK: [[APART_X:%.*]] = sub i64 [[LAST_X]], [[N]]
; CHECK: icmp slt i64 [[APART_X]], 0
; CHECK: [[LAST_Y:%.*]] = add i64 %{{.*}}, 7
; CHECK: [[APART_Y:%.*]] = sub i64 [[LAST_Y]], [[N]]
; CHECK: icmp slt i64 [[APART_Y]], 0
; CHECK: [[ROWS:%.*]] = mul i64 [[N]], 7
; CHECK: [[LOW:%.*]] = add i64 %{{.*}}
; CHECK: icmp sge i64 [[LOW]], 0
; CHECK: icmp sle i64 %{{.*}}, 4294967295
; CHECK: br i1 %{{.*}}, label %nest, label %{{.*}}
; CHECK: rows.asks:
; CHECK: nest:
; CHECK: rows:
; CHECK-NOT: icmp slt i32
; CHECK-NOT: zext i32
; CHECK: store float
; CHECK: ret void
entry:
  %in = load ptr, ptr %args, align 8
  %n.at = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %n.at, align 8
  %x.block = trunc i64 %bx to i32
  %x.first = mul i32 %x.block, 16
  %y.block = trunc i64 %by to i32
  %y.first = mul i32 %y.block, 8
  br label %rows
rows:
  %row = phi i64 [ 0, %entry ], [ %row.next, %rows.latch ]
  %row.narrow = trunc i64 %row to i32
  %j = add i32 %y.first, %row.narrow
  %begin = mul i32 %j, %n
  br label %threads
threads:
  %t = phi i64 [ 0, %rows ], [ %t.next, %latch ]
  %t.narrow = trunc i64 %t to i32
  %i = add i32 %x.first, %t.narrow
  %in.x = icmp slt i32 %i, %n
  %in.y = icmp slt i32 %j, %n
  %both = and i1 %in.x, %in.y
  br i1 %both, label %body, label %latch
body:
  %index = add i32 %begin, %i
  %wide = zext i32 %index to i64
  %at = getelementptr float, ptr %in, i64 %wide
  store float 1.0, ptr %at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.end = icmp eq i64 %t.next, 16
  br i1 %t.end, label %rows.latch, label %threads, !llvm.loop !0
rows.latch:
  %row.next = add nuw nsw i64 %row, 1
  %row.end = icmp eq i64 %row.next, 8
  br i1 %row.end, label %done, label %rows
done:
  ret void
}
; Not where the block's shape alone decides: nothing differs from block to block.
define void @of_shape(ptr noalias %b, ptr noalias %args, ptr noalias %arrays, i64 %x, i64 %y, i64 %z, i64 %dx, i64 %dy, i64 %dz) "simt.loops_of_block" {
; CHECK-LABEL: define void @of_shape
; CHECK-NOT: asks
; CHECK: ret void
entry:
  %in = load ptr, ptr %args, align 8
  br label %rows
rows:
  %row = phi i64 [ 0, %entry ], [ %row.next, %rows.latch ]
  %begin = mul i64 %row, %dx
  br label %threads
threads:
  %t = phi i64 [ 0, %rows ], [ %t.next, %latch ]
  %more = add nuw nsw i64 %t, 1
  %inner = icmp slt i64 %more, %dx
  br i1 %inner, label %body, label %latch
body:
  %index = add i64 %begin, %t
  %at = getelementptr float, ptr %in, i64 %index
  store float 1.0, ptr %at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.end = icmp eq i64 %t.next, 16
  br i1 %t.end, label %rows.latch, label %threads, !llvm.loop !2
rows.latch:
  %row.next = add nuw nsw i64 %row, 1
  %row.end = icmp eq i64 %row.next, 8
  br i1 %row.end, label %done, label %rows
done:
  ret void
}
!0 = distinct !{!0, !3}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
