; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; x ^ 31 of an x below 32 is 31 - x, which goes down from turn to turn. Where x may have a sixth bit, it is no line.
; CHECK-LABEL: define void @down
; CHECK: sub nuw nsw i64 31, %x
; CHECK-LABEL: define void @no_line
; CHECK: xor i64 %x, 31
define void @down(ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %other = xor i64 %x, 31
  %from = getelementptr float, ptr %a, i64 %other
  %v = load float, ptr %from
  %to = getelementptr float, ptr %b, i64 %x
  store float %v, ptr %to
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 32
  br i1 %end, label %out, label %loop
out:
  ret void
}
define void @no_line(ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %other = xor i64 %x, 31
  %from = getelementptr float, ptr %a, i64 %other
  %v = load float, ptr %from
  %to = getelementptr float, ptr %b, i64 %x
  store float %v, ptr %to
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 33
  br i1 %end, label %out, label %loop
out:
  ret void
}
