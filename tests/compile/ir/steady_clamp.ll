; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; An index that is kept within a row: away from its edges it is a sum, in a copy of the loop over threads.
define void @clamp(ptr %a, ptr %out, i32 %before, i32 %last) {
; CHECK-LABEL: define void @clamp
; CHECK: freeze i32 %before
; CHECK: icmp sge i32 %{{.*}}, 0
; CHECK: icmp sle i32 %{{.*}}, %{{.*}}
; CHECK: loop.unsteady:
; CHECK: call i32 @llvm.smax.i32
; CHECK: call i32 @llvm.smin.i32
; CHECK: stretch:
; CHECK: br i1 %holds, label %{{.*}}, label %{{.*unsteady}}
; CHECK: stretch.next:
; CHECK: loop:
; CHECK-NOT: @llvm.s
; CHECK: [[WIDE:%.*]] = add i64 %x, %apart
; CHECK-NOT: @llvm.s
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
  %at = getelementptr float, ptr %a, i64 %wide
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 16
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; A remainder is the index less a number as long as the quotient stays; nobody divides by zero in front of the loop, and
; stretches of fewer than 16 iterations are none.
define void @remainder(ptr %a, ptr %out, i32 %before, i32 %n) {
; CHECK-LABEL: define void @remainder
; CHECK: [[GOOD:%.*]] = icmp uge i32 %{{.*}}, 16
; CHECK: %divisor = select i1 {{.*}}, i32 %{{.*}}, i32 16
; CHECK: udiv i32 %{{.*}}, %divisor
; CHECK: loop.unsteady:
; CHECK: urem i32
; CHECK: stretch.next:
; CHECK: udiv i32
; CHECK: loop:
; CHECK-NOT: urem
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %x.narrow = trunc i64 %x to i32
  %i = add i32 %before, %x.narrow
  %rest = urem i32 %i, %n
  %wide = zext i32 %rest to i64
  %at = getelementptr float, ptr %a, i64 %wide
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 16
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; A condition that decides over an access parts the row: one loop in which all meet it, and one in which nobody does.
define void @behind(ptr %a, ptr %out, i64 %d) {
; CHECK-LABEL: define void @behind
; CHECK: icmp uge i64 0, %{{.*}}
; CHECK: loop.unsteady:
; CHECK-NOT: load
; CHECK: store float 0.000000e+00
; CHECK: stretch:
; CHECK: loop:
; CHECK-NOT: icmp uge i64 %x
; CHECK: load float
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %in = icmp uge i64 %x, %d
  br i1 %in, label %read, label %latch
read:
  %from = sub i64 %x, %d
  %at = getelementptr float, ptr %a, i64 %from
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %all = phi float [ %v, %read ], [ 0.0, %loop ]
  %to = getelementptr float, ptr %out, i64 %x
  store float %all, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; What is asked of the whole row alike is part of the question.
define void @of_row(ptr %a, ptr %out, i64 %d, i32 %n) {
; CHECK-LABEL: define void @of_row
; CHECK: [[ASK:%[0-9]+]] = freeze i1 %ask
; CHECK: and i1 {{.*}}, [[ASK]]
; CHECK: loop.unsteady:
; CHECK: br i1 %ask
; CHECK: stretch:
; CHECK: loop:
; CHECK-NOT: br i1 %ask
; CHECK: ret void
entry:
  %ask = icmp sgt i32 %n, 3
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  br i1 %ask, label %more, label %latch
more:
  %to = getelementptr float, ptr %out, i64 %x
  store float 1.0, ptr %to, align 4, !llvm.access.group !1
  %in = icmp uge i64 %x, %d
  br i1 %in, label %read, label %latch
read:
  %at = getelementptr float, ptr %a, i64 %x
  store float 2.0, ptr %at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; A mask that is not known to be one of low bits is asked.
define void @masked(ptr %a, ptr %out, i64 %stride) {
; CHECK-LABEL: define void @masked
; CHECK: add i64 %stride, -1
; CHECK: icmp eq i64 {{.*}}, 0
; CHECK: loop.unsteady:
; CHECK: and i64 %x
; CHECK: stretch:
; CHECK: loop:
; CHECK-NOT: and i64 %x
; CHECK: ret void
entry:
  %mask = add i64 %stride, -1
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %low = and i64 %x, %mask
  %at = getelementptr float, ptr %a, i64 %low
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %to = getelementptr float, ptr %out, i64 %x
  store float %v, ptr %to, align 4, !llvm.access.group !1
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; Not where data decide who stores: masks would take longer.
define void @exchanged(ptr %a, i64 %stride) {
; CHECK-LABEL: define void @exchanged
; CHECK-NOT: stretch
; CHECK: ret void
entry:
  %mask = add i64 %stride, -1
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %low = and i64 %x, %mask
  %at = getelementptr float, ptr %a, i64 %low
  %v = load float, ptr %at, align 4, !llvm.access.group !1
  %more = fcmp ogt float %v, 1.0
  br i1 %more, label %change, label %latch
change:
  store float 1.0, ptr %at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; Not where a loop is none over threads.
define void @of_host(ptr %a, i32 %n) {
; CHECK-LABEL: define void @of_host
; CHECK-NOT: unsteady
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %x.narrow = trunc i64 %x to i32
  %rest = urem i32 %x.narrow, %n
  %at = getelementptr i32, ptr %a, i64 %x
  store i32 %rest, ptr %at, align 4
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 16
  br i1 %end, label %done, label %loop
done:
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !2}
!1 = distinct !{}
!2 = !{!"llvm.loop.parallel_accesses", !1}
