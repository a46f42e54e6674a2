; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; (first | x) == 0 are two questions, and the loop's own is a bound: one turn.
; CHECK-LABEL: define void @each
; CHECK-NOT: or i64
; CHECK: icmp eq i64 %first, 0
; CHECK: ret void
define void @each(ptr %a, i64 %first) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %rank = or i64 %first, %x
  %is.zero = icmp eq i64 %rank, 0
  br i1 %is.zero, label %body, label %latch
body:
  store float 3.0, ptr %a
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 32
  br i1 %end, label %out, label %loop
out:
  ret void
}
