; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Nobody takes first turns out of a thread's loop (`if (k > 0)`): it would not be turned inside out any more.
; CHECK-LABEL: define internal void @kernel(
; CHECK: br i1 %again, label %turn, label %end, !llvm.loop [[LOOP:![0-9]+]]
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[ENOUGH:![0-9]+]]}
; CHECK: [[ENOUGH]] = !{!"llvm.loop.peeled.count", i32 100}
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
KERNEL {
entry:
  br label %turn
turn:
  %k = phi i32 [ 0, %entry ], [ %next, %behind ]
  %first = icmp eq i32 %k, 0
  br i1 %first, label %behind, label %step
step:
  store i32 %k, ptr %args
  br label %behind
behind:
  %next = add nsw i32 %k, 1
  %again = icmp slt i32 %next, 100
  br i1 %again, label %turn, label %end
end:
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  ret void
}
