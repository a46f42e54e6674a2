; RUN: simt-bounds
; WITH: -mtriple=x86_64-unknown-linux-gnu
; WITH: -mattr=+avx2
; SPDX-License-Identifier: Apache-2.0
; A guard has become the bounds of a row of 16 threads. Where it leaves all of them, a copy with that number of turns runs.
define void @guarded(ptr noalias %in, ptr noalias %out, i32 %before, i32 %n) "simt.loops_of_block" {
; CHECK-LABEL: define void @guarded
; CHECK-DAG: [[FIRST:%.*]] = icmp eq i64 %{{.*}}, 0
; CHECK-DAG: [[END:%.*]] = icmp eq i64 %{{.*}}, 16
; CHECK: [[BOTH:%.*]] = and i1 [[FIRST]], [[END]]
; CHECK: %whole = and i1 %{{.*}}, [[BOTH]]
; CHECK: br i1 %whole, label %[[FAST:.*whole]], label %{{.*}}
; CHECK: [[FAST]]:
; CHECK: loop.whole:
; CHECK: phi i64 [ 0, %[[FAST]] ]
; CHECK: icmp ne i64 %{{.*}}, 16
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %x.narrow = trunc i64 %x to i32
  %i = add i32 %before, %x.narrow
  %from = icmp sge i32 %i, 0
  %below = icmp slt i32 %i, %n
  %is.in = and i1 %from, %below
  br i1 %is.in, label %body, label %latch
body:
  %i.wide = sext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %i.wide
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %i.wide
  store float %v, ptr %to, align 4, !llvm.access.group !1
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 16
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; 14 turns that may be made twice: two vectors of eight, which share two turns. Nothing is asked, and the loop is gone.
define void @twice(ptr noalias %in, ptr noalias %out) "simt.loops_of_block" {
; CHECK-LABEL: define void @twice
; CHECK-NOT: icmp eq
; CHECK: phi i64 [ 1, %
; CHECK: icmp ne i64 %{{.*}}, 9
; CHECK: phi i64 [ 7, %
; CHECK: icmp ne i64 %{{.*}}, 15
; CHECK-NOT: phi
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %x.next, %loop ]
  %at = getelementptr float, ptr %in, i64 %x
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 15
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; Not what a turn has changed itself: eight, four and two.
define void @in_place(ptr %a) "simt.loops_of_block" {
; CHECK-LABEL: define void @in_place
; CHECK-NOT: icmp eq
; CHECK: phi i64 [ 1, %
; CHECK: icmp ne i64 %{{.*}}, 9
; CHECK: phi i64 [ 9, %
; CHECK: icmp ne i64 %{{.*}}, 13
; CHECK: phi i64 [ 13, %
; CHECK: icmp ne i64 %{{.*}}, 15
; CHECK-NOT: phi
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %x.next, %loop ]
  %at = getelementptr float, ptr %a, i64 %x
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %more = fadd float %v, 1.0
  store float %more, ptr %at, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 15
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; Nor where other threads may write: an access that is not known to be apart from theirs.
define void @not_apart(ptr noalias %in, ptr noalias %out) "simt.loops_of_block" {
; CHECK-LABEL: define void @not_apart
; CHECK: phi i64 [ 1, %
; CHECK: phi i64 [ 9, %
; CHECK: phi i64 [ 13, %
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %x.next, %loop ]
  %at = getelementptr float, ptr %in, i64 %x
  %v = load float, ptr %at, align 4
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 15
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; Whole vectors already; and no loop of a block.
define void @whole_vectors(ptr noalias %in, ptr noalias %out) "simt.loops_of_block" {
; CHECK-LABEL: define void @whole_vectors
; CHECK-NOT: whole:
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %at = getelementptr float, ptr %in, i64 %x
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 16
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
define void @of_host(ptr noalias %in, ptr noalias %out) {
; CHECK-LABEL: define void @of_host
; CHECK-NOT: whole:
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %x.next, %loop ]
  %at = getelementptr float, ptr %in, i64 %x
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 15
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; A row that runs in stretches is one stretch where indices are kept within an array that goes on beyond it.
define void @stretch(ptr noalias %in, ptr noalias %out, i32 %before, i32 %last) "simt.loops_of_block" {
; CHECK-LABEL: define void @stretch
; CHECK: br i1 %whole, label
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %x.narrow = trunc i64 %x to i32
  %i = add i32 %before, %x.narrow
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %kept = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %wide = sext i32 %kept to i64
  %at = getelementptr float, ptr %in, i64 %wide
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 16
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; An int that is widened may wrap: that is asked once for the row, and in the pieces it is the index and a number. The row
; of the block beside this one is asked for, as the rows of a matrix lie far apart.
define void @widened(ptr noalias %args, ptr noalias %args2, ptr noalias %arrays, i64 %x0, i32 %width) "simt.loops_of_block" {
; CHECK-LABEL: define void @widened
; CHECK: icmp sle i32 %{{.*}}, 2147483632
; CHECK: br i1 %whole, label %[[FAST:.*]], label %{{.*}}
; CHECK: [[FAST]]:
; CHECK: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
; CHECK: loop.whole:
; CHECK-NOT: sext
; CHECK: %wide = add i64
; CHECK-NOT: sext
; CHECK: br i1
; CHECK: ret void
entry:
  %in = load ptr, ptr %args2, align 8
  br label %rows
rows:
  %y = phi i32 [ 0, %entry ], [ %y.next, %rows.next ]
  %before = mul i32 %y, %width
  br label %loop
loop:
  %x = phi i64 [ 0, %rows ], [ %x.next, %loop ]
  %x.narrow = trunc i64 %x to i32
  %i = add i32 %before, %x.narrow
  %i.wide = sext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %i.wide
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %arrays, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 16
  br i1 %end, label %rows.next, label %loop, !llvm.loop !0
rows.next:
  %y.next = add i32 %y, 1
  %last = icmp eq i32 %y.next, 8
  br i1 %last, label %done, label %rows
done:
  ret void
}
; Two arrays of shared memory are apart, and one array is not apart from itself.
@one = constant i32 1
@two = constant i32 2
declare ptr @simt_shared_array(ptr, ptr)
define void @two_arrays(ptr %b) "simt.loops_of_block" {
; CHECK-LABEL: define void @two_arrays
; CHECK: phi i64 [ 1, %
; CHECK: phi i64 [ 7, %
; CHECK: ret void
entry:
  %from = call ptr @simt_shared_array(ptr %b, ptr @one)
  %into = call ptr @simt_shared_array(ptr %b, ptr @two)
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %x.next, %loop ]
  %at = getelementptr float, ptr %from, i64 %x
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %into, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 15
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
define void @one_array(ptr %b) "simt.loops_of_block" {
; CHECK-LABEL: define void @one_array
; CHECK: phi i64 [ 1, %
; CHECK: phi i64 [ 9, %
; CHECK: phi i64 [ 13, %
; CHECK: ret void
entry:
  %from = call ptr @simt_shared_array(ptr %b, ptr @one)
  %into = call ptr @simt_shared_array(ptr %b, ptr @one)
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %x.next, %loop ]
  %at = getelementptr float, ptr %from, i64 %x
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %into, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 15
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; What is widened is as far from the index as it is in the first turn.
define void @from_one(ptr noalias %from, ptr noalias %into, i32 %before) "simt.loops_of_block" {
; CHECK-LABEL: define void @from_one
; CHECK: [[BEGIN:%.*]] = sext i32 %{{.*}} to i64
; CHECK: sub i64 [[BEGIN]], 1
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %x.next, %loop ]
  %x.narrow = trunc i64 %x to i32
  %i = add i32 %before, %x.narrow
  %i.wide = sext i32 %i to i64
  %at = getelementptr float, ptr %from, i64 %i.wide
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %into, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 15
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !2}
!1 = distinct !{}
!2 = !{!"llvm.loop.parallel_accesses", !1}
