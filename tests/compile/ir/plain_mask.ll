; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; Behind a question whether x is below 16, x without all but four bits is x; and bits above the sixth are none if x is
; below 64.
; CHECK-LABEL: define void @behind_a_question
; CHECK: icmp ult i64 %x, 64
; CHECK: small:
; CHECK-NOT: and i64
; CHECK: or {{.*}}i64 %x, 272
; CHECK: ret void
define void @behind_a_question(ptr %a) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %high = and i64 %x, 4294967232
  %below = icmp eq i64 %high, 0
  %first = select i1 %below, float 1.0, float 2.0
  %all = getelementptr float, ptr %a, i64 %x
  store float %first, ptr %all
  %is.small = icmp ult i32 %narrow, 16
  br i1 %is.small, label %small, label %latch
small:
  %bits = and i64 %x, 15
  %place = or i64 %bits, 272
  %at = getelementptr float, ptr %a, i64 %place
  store float 3.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %out, label %loop
out:
  ret void
}
; Below 17 it may have a fifth bit. Of an x that may have more than 32 bits, the mask is not all.
; CHECK-LABEL: define void @not_behind
; CHECK: and i64 %x, 4294967232
; CHECK: and i64 %x, 15
; CHECK: ret void
define void @not_behind(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %high = and i64 %x, 4294967232
  %below = icmp eq i64 %high, 0
  %first = select i1 %below, float 1.0, float 2.0
  %all = getelementptr float, ptr %a, i64 %x
  store float %first, ptr %all
  %is.small = icmp ult i64 %x, 17
  br i1 %is.small, label %small, label %latch
small:
  %bits = and i64 %x, 15
  %at = getelementptr float, ptr %a, i64 %bits
  store float 3.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, %n
  br i1 %end, label %out, label %loop
out:
  ret void
}
; A condition on a multiple of the index is one on the index.
; CHECK-LABEL: define void @multiple
; CHECK: %gone = phi i64
; CHECK: {{(sub i64 51,|usub.sat.i64\(i64 51,)}}
; CHECK-NOT: icmp ult i32
; CHECK: ret void
define void @multiple(ptr %a) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %four = shl i32 %narrow, 2
  %is.in = icmp ult i32 %four, 202
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 3.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %out, label %loop
out:
  ret void
}
