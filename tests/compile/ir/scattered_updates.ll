; RUN: simt-before-vectoriser
; SPDX-License-Identifier: Apache-2.0
; Every eighth element is changed in place: no vectors, but a few turns at once.
; CHECK-LABEL: define void @scattered
; CHECK: br i1 %end, {{.*}}!llvm.loop [[SCALAR:![0-9]+]]
; Neighbours are changed in vectors; and what is scattered but not read is no update.
; CHECK-LABEL: define void @neighbours
; CHECK: br i1 %end, {{.*}}!llvm.loop [[VECTORS:![0-9]+]]
; CHECK-LABEL: define void @written_only
; CHECK: br i1 %end, {{.*}}!llvm.loop [[ALSO:![0-9]+]]
; CHECK: [[SCALAR]] = distinct !{[[SCALAR]], {{.*}}, [[OFF:![0-9]+]], [[TIMES:![0-9]+]]}
; CHECK: [[OFF]] = !{!"llvm.loop.vectorize.enable", i32 0}
; CHECK: [[TIMES]] = !{!"llvm.loop.unroll.count", i32 4}
; CHECK: [[VECTORS]] = distinct !{[[VECTORS]], [[MARK:![0-9]+]], [[NO_UNROLLING:![0-9]+]]}
; CHECK: [[NO_UNROLLING]] = !{!"llvm.loop.unroll.disable"}
; CHECK: [[ALSO]] = distinct !{[[ALSO]], [[MARK]], [[NO_UNROLLING]]}
define void @scattered(ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %i = shl nuw nsw i64 %x, 3
  %at = getelementptr i32, ptr %s, i64 %i
  %near = getelementptr i32, ptr %at, i64 4
  %a = load i32, ptr %at, !llvm.access.group !9
  %b = load i32, ptr %near, !llvm.access.group !9
  %sum = add i32 %a, %b
  store i32 %sum, ptr %at, !llvm.access.group !9
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, %n
  br i1 %end, label %out, label %loop, !llvm.loop !0
out:
  ret void
}
define void @neighbours(ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %at = getelementptr i32, ptr %s, i64 %x
  %a = load i32, ptr %at, !llvm.access.group !9
  %sum = add i32 %a, 1
  store i32 %sum, ptr %at, !llvm.access.group !9
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, %n
  br i1 %end, label %out, label %loop, !llvm.loop !3
out:
  ret void
}
define void @written_only(ptr %s, ptr noalias %r, i64 %n) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %i = shl nuw nsw i64 %x, 3
  %at = getelementptr i32, ptr %s, i64 %i
  %from = getelementptr i32, ptr %r, i64 %x
  %a = load i32, ptr %from, !llvm.access.group !9
  store i32 %a, ptr %at, !llvm.access.group !9
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, %n
  br i1 %end, label %out, label %loop, !llvm.loop !4
out:
  ret void
}
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.parallel_accesses", !9}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
!4 = distinct !{!4, !1, !2}
!9 = distinct !{}
