; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; What all threads of a row are asked alike is asked in front of it: the loop for a row in which all of it holds has no
; conditions.
define void @rows(ptr %a, ptr %b, i32 %y, i32 %h) {
; CHECK-LABEL: define void @rows
; CHECK: [[A:%.*]] = freeze i1 %first
; CHECK: [[B:%.*]] = freeze i1 %second
; CHECK: [[ALL:%.*]] = and i1 {{.*}}, [[B]]
; CHECK: loop.unsteady:
; CHECK: br i1 %first
; CHECK: br i1 %second
; CHECK: loop:
; CHECK-NOT: br i1 %first
; CHECK-NOT: br i1 %second
; CHECK: ret void
entry:
  %first = icmp slt i32 %y, %h
  %below = add nsw i32 %y, 8
  %second = icmp slt i32 %below, %h
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  br i1 %first, label %one, label %ask
one:
  %a.at = getelementptr float, ptr %a, i64 %x
  %v = load float, ptr %a.at, align 4, !llvm.access.group !1
  %b.at = getelementptr float, ptr %b, i64 %x
  store float %v, ptr %b.at, align 4, !llvm.access.group !1
  br label %ask
ask:
  br i1 %second, label %two, label %latch
two:
  %far = add nuw nsw i64 %x, 256
  %a.far = getelementptr float, ptr %a, i64 %far
  %w = load float, ptr %a.far, align 4, !llvm.access.group !1
  %b.far = getelementptr float, ptr %b, i64 %far
  store float %w, ptr %b.far, align 4, !llvm.access.group !1
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 32
  br i1 %end, label %done, label %loop, !llvm.loop !0
done:
  ret void
}
; Of one question, nobody does the usual in the other loop.
define void @one(ptr %a, i32 %y, i32 %h) {
; CHECK-LABEL: define void @one
; CHECK: loop.unsteady:
; CHECK-NOT: br i1 %above
; CHECK-NOT: store
; CHECK: loop:
; CHECK-NOT: br i1 %above
; CHECK: store float
; CHECK: ret void
entry:
  %above = icmp sge i32 %y, %h
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  br i1 %above, label %latch, label %below
below:
  %at = getelementptr float, ptr %a, i64 %x
  store float 1.0, ptr %at, align 4, !llvm.access.group !1
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 32
  br i1 %end, label %done, label %loop, !llvm.loop !2
done:
  ret void
}
; Not where a loop is none over threads.
define void @of_host(ptr %a, i32 %y, i32 %h) {
; CHECK-LABEL: define void @of_host
; CHECK-NOT: unsteady
; CHECK: ret void
entry:
  %above = icmp sge i32 %y, %h
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  br i1 %above, label %latch, label %below
below:
  %at = getelementptr float, ptr %a, i64 %x
  store float 1.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 32
  br i1 %end, label %done, label %loop
done:
  ret void
}
!0 = distinct !{!0, !3}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.parallel_accesses", !1}
