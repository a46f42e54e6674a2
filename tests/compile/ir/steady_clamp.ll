; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; An index that is kept within a row: away from its edges it is a sum, in a copy of the loop over threads.
define void @clamp(ptr %a, ptr %out, i32 %before, i32 %last) {
; CHECK-LABEL: define void @clamp
; CHECK: sext i32 %before to i64
; CHECK: icmp sle i64 {{.*}}, 2147483647
; CHECK: icmp sge i64 {{.*}}, 0
; CHECK: icmp sle i64
; CHECK: br i1 {{.*}}, label %{{.*steady.*}}, label %
; CHECK: loop.unsteady:
; CHECK: call i32 @llvm.smax.i32
; CHECK: call i32 @llvm.smin.i32
; CHECK: loop:
; CHECK-NOT: @llvm.s
; CHECK: sext i32 %i to i64
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
; A remainder is the index less a number as long as the quotient stays; nobody divides by zero in front of the loop.
define void @remainder(ptr %a, ptr %out, i32 %before, i32 %n) {
; CHECK-LABEL: define void @remainder
; CHECK: [[SAFE:%.*]] = icmp ne i64 {{.*}}, 0
; CHECK: [[DIVISOR:%.*]] = select i1 {{.*}}, i32 %n, i32 1
; CHECK: %quotient = udiv i32 %before, [[DIVISOR]]
; CHECK: loop.unsteady:
; CHECK: urem i32
; CHECK: loop:
; CHECK-NOT: urem
; CHECK: sub nuw i32
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
