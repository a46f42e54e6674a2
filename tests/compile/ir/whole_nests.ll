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
; What the threads of one user need is not what those of another do: 4 to 6, 1 to 3 and 2 to 4.
define void @of_two_users(ptr noalias %b, ptr noalias %args, ptr noalias %arrays, i64 %x, i64 %y, i64 %z, i64 %dx, i64 %dy, i64 %dz, i64 %bx, i64 %by) "simt.loops_of_block" {
; CHECK-LABEL: define void @of_two_users
; CHECK: [[BEGIN:%.*]] = sext i32 %{{.*}} to i64
; CHECK-NOT: add i64 [[BEGIN]], 2
; CHECK: [[LEAST:%.*]] = add i64 [[BEGIN]], 1
; CHECK: icmp sge i64 [[LEAST]]
; CHECK: [[MOST:%.*]] = add i64 [[BEGIN]], 6
; CHECK: icmp sle i64 [[MOST]]
; CHECK: nest:
; CHECK: ret void
entry:
  %in = load ptr, ptr %args, align 8
  %n.at = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %n.at, align 8
  %x.block = trunc i64 %bx to i32
  %x.first = mul i32 %x.block, 16
  br label %rows
rows:
  %row = phi i64 [ 0, %entry ], [ %row.next, %rows.latch ]
  br label %threads
threads:
  %t = phi i64 [ 0, %rows ], [ %t.next, %latch ]
  %t.narrow = trunc i64 %t to i32
  %i = add i32 %x.first, %t.narrow
  %left = call i32 @llvm.smax.i32(i32 %i, i32 9)
  %from.four = add nsw i32 %t.narrow, -4
  %is.inner = icmp ult i32 %from.four, 3
  br i1 %is.inner, label %inner, label %then
inner:
  %a.far = add nuw nsw i64 %t, 64
  %a = getelementptr i32, ptr %in, i64 %a.far
  store i32 %left, ptr %a, align 4, !llvm.access.group !1
  br label %then
then:
  %from.one = add nsw i32 %t.narrow, -1
  %is.first = icmp ult i32 %from.one, 3
  br i1 %is.first, label %first, label %more
first:
  %b.far = add nuw nsw i64 %t, 80
  %b.at = getelementptr i32, ptr %in, i64 %b.far
  store i32 %left, ptr %b.at, align 4, !llvm.access.group !1
  br label %more
more:
  %from.two = add nsw i32 %t.narrow, -2
  %is.second = icmp ult i32 %from.two, 3
  br i1 %is.second, label %second, label %latch
second:
  %c.far = add nuw nsw i64 %t, 96
  %c.at = getelementptr i32, ptr %in, i64 %c.far
  store i32 %left, ptr %c.at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.end = icmp eq i64 %t.next, 16
  br i1 %t.end, label %rows.latch, label %threads, !llvm.loop !4
rows.latch:
  %row.next = add nuw nsw i64 %row, 1
  %row.end = icmp eq i64 %row.next, 8
  br i1 %row.end, label %done, label %rows
done:
  ret void
}
; An answer that others ask for, too, is asked for all of them.
define void @asked_twice(ptr noalias %b, ptr noalias %args, ptr noalias %arrays, i64 %x, i64 %y, i64 %z, i64 %dx, i64 %dy, i64 %dz, i64 %bx, i64 %by) "simt.loops_of_block" {
; CHECK-LABEL: define void @asked_twice
; CHECK: [[BEGIN:%.*]] = sext i32 %{{.*}} to i64
; CHECK: [[MOST:%.*]] = add i64 [[BEGIN]], 15
; CHECK: icmp sle i64 [[MOST]]
; CHECK: nest:
; CHECK: ret void
entry:
  %in = load ptr, ptr %args, align 8
  %n.at = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %n.at, align 8
  %x.block = trunc i64 %bx to i32
  %x.first = mul i32 %x.block, 16
  br label %rows
rows:
  %row = phi i64 [ 0, %entry ], [ %row.next, %rows.latch ]
  br label %threads
threads:
  %t = phi i64 [ 0, %rows ], [ %t.next, %latch ]
  %t.narrow = trunc i64 %t to i32
  %i = add i32 %x.first, %t.narrow
  %in.x = icmp slt i32 %i, %n
  %few = icmp ult i64 %t, 5
  %both = and i1 %few, %in.x
  br i1 %both, label %one, label %then
one:
  %a = getelementptr float, ptr %in, i64 %t
  store float 1.0, ptr %a, align 4, !llvm.access.group !1
  br label %then
then:
  br i1 %in.x, label %two, label %latch
two:
  %far = add nuw nsw i64 %t, 64
  %b.at = getelementptr float, ptr %in, i64 %far
  store float 2.0, ptr %b.at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.end = icmp eq i64 %t.next, 16
  br i1 %t.end, label %rows.latch, label %threads, !llvm.loop !5
rows.latch:
  %row.next = add nuw nsw i64 %row, 1
  %row.end = icmp eq i64 %row.next, 8
  br i1 %row.end, label %done, label %rows
done:
  ret void
}
; Only five threads come there.
define void @of_few(ptr noalias %b, ptr noalias %args, ptr noalias %arrays, i64 %x, i64 %y, i64 %z, i64 %dx, i64 %dy, i64 %dz, i64 %bx, i64 %by) "simt.loops_of_block" {
; CHECK-LABEL: define void @of_few
; CHECK: [[BEGIN:%.*]] = sext i32 %{{.*}} to i64
; CHECK-NOT: add i64 [[BEGIN]], 15
; CHECK: [[MOST:%.*]] = add i64 [[BEGIN]], 4
; CHECK: icmp sle i64 [[MOST]]
; CHECK: nest:
; CHECK: ret void
entry:
  %in = load ptr, ptr %args, align 8
  %n.at = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %n.at, align 8
  %x.block = trunc i64 %bx to i32
  %x.first = mul i32 %x.block, 16
  br label %rows
rows:
  %row = phi i64 [ 0, %entry ], [ %row.next, %rows.latch ]
  br label %threads
threads:
  %t = phi i64 [ 0, %rows ], [ %t.next, %latch ]
  %t.narrow = trunc i64 %t to i32
  %i = add i32 %x.first, %t.narrow
  %few = icmp ult i64 %t, 5
  br i1 %few, label %one, label %latch
one:
  %left = call i32 @llvm.smax.i32(i32 %i, i32 9)
  %index = sext i32 %left to i64
  %a = getelementptr float, ptr %in, i64 %index
  store float 1.0, ptr %a, align 4, !llvm.access.group !1
  br label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.end = icmp eq i64 %t.next, 16
  br i1 %t.end, label %rows.latch, label %threads, !llvm.loop !6
rows.latch:
  %row.next = add nuw nsw i64 %row, 1
  %row.end = icmp eq i64 %row.next, 8
  br i1 %row.end, label %done, label %rows
done:
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
!0 = distinct !{!0, !3}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
!4 = distinct !{!4, !3}
!5 = distinct !{!5, !3}
!6 = distinct !{!6, !3}
