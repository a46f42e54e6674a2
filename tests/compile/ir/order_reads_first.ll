; RUN: simt-before-vectoriser
; Both of a pair are read before they are written: they may be joined.
define void @turns(ptr %a, ptr %o, i64 %n) {
; CHECK-LABEL: define void @turns
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %two = shl nuw nsw i64 %i, 1
  %one = add nuw nsw i64 %two, 1
  %low = getelementptr inbounds i32, ptr %a, i64 %two
  %high = getelementptr inbounds i32, ptr %a, i64 %one
  %x = load i32, ptr %low, align 4, !llvm.access.group !1
  %y = load i32, ptr %high, align 4, !llvm.access.group !1
  store i32 %x, ptr %high, align 4, !llvm.access.group !1
  store i32 %y, ptr %low, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out, !llvm.loop !2
out:
  ret void
}
!1 = distinct !{}
!2 = distinct !{!2, !3, !4}
!3 = !{!"llvm.loop.vectorize.enable", i1 true}
!4 = !{!"llvm.loop.parallel_accesses", !1}
; CHECK: vectorize.enable
; CHECK: parallel_accesses
