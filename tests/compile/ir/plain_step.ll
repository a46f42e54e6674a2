; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; Each way through the body has made the next index: it is made once, and the condition becomes the loop's bound.
; CHECK-LABEL: define void @next
; CHECK: %gone = phi i64
; CHECK: loop:
; CHECK-NOT: icmp slt
; CHECK: store float
; CHECK: icmp ne i64
; CHECK: ret void
define void @next(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %is.in = icmp slt i64 %x, %n
  br i1 %is.in, label %body, label %other
other:
  %x.other = add nuw nsw i64 %x, 1
  br label %latch
body:
  %x.body = add nuw nsw i64 %x, 1
  %from = getelementptr float, ptr %a, i64 %x.body
  %v = load float, ptr %from
  %to = getelementptr float, ptr %b, i64 %x
  store float %v, ptr %to
  br label %latch
latch:
  %x.next = phi i64 [ %x.other, %other ], [ %x.body, %body ]
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %out, label %loop
out:
  ret void
}
; A choice between a few values is questions.
; CHECK-LABEL: define void @choice
; CHECK-NOT: switch
; CHECK: icmp eq i32 %v, 3
; CHECK: icmp eq i32 %v, 2
; CHECK: phi float {{.*}} [ 1.000000e+00, %case ]
; CHECK: ret void
define void @choice(ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %from = getelementptr i32, ptr %a, i64 %x
  %v = load i32, ptr %from
  switch i32 %v, label %latch [
    i32 3, label %latch
    i32 2, label %body
  ]
body:
  br label %latch
latch:
  %made = phi float [ 1.0, %loop ], [ 1.0, %loop ], [ 2.0, %body ]
  %to = getelementptr float, ptr %b, i64 %x
  store float %made, ptr %to
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 256
  br i1 %end, label %out, label %loop
out:
  ret void
}
