; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; Threads for which the condition is false do something, too.
define void @otherwise(ptr %a, i64 %n, i64 %end) {
; CHECK-LABEL: define void @otherwise
; CHECK-NOT: piece
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %is.in = icmp slt i64 %x, %n
  br i1 %is.in, label %body, label %latch
body:
  br label %latch
latch:
  %v = phi float [ 1.0, %body ], [ 2.0, %loop ]
  %at = getelementptr float, ptr %a, i64 %x
  store float %v, ptr %at, align 4
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; Something happens before the condition is asked.
define void @before(ptr %a, i64 %n, i64 %end) {
; CHECK-LABEL: define void @before
; CHECK-NOT: piece
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %at = getelementptr float, ptr %a, i64 %x
  store float 3.0, ptr %at, align 4
  %is.in = icmp slt i64 %x, %n
  br i1 %is.in, label %body, label %latch
body:
  store float 4.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; It leaves something behind: the last sum.
define float @sum(ptr %a, i64 %n, i64 %end) {
; CHECK-LABEL: define float @sum
; CHECK-NOT: piece
; CHECK: ret float
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  %is.in = icmp slt i64 %x, %n
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  %v = load float, ptr %at, align 4
  %more.sum = fadd float %sum, %v
  br label %latch
latch:
  %sum.next = phi float [ %more.sum, %body ], [ %sum, %loop ]
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret float %sum.next
}
; A number that falls may wrap in the middle.
define void @falls(ptr %a, i32 %n, i64 %end) {
; CHECK-LABEL: define void @falls
; CHECK-NOT: piece
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %i = sub i32 1000, %narrow
  %is.in = icmp slt i32 %i, %n
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 5.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; Who is watched is told of every thread.
define void @watched(ptr %a, i64 %n, i64 %end) sanitize_thread {
; CHECK-LABEL: define void @watched
; CHECK-NOT: piece
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %is.in = icmp slt i64 %x, %n
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 6.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; What is stored for all is not what was loaded: it was elsewhere.
define void @stored_elsewhere(ptr %sums, ptr %a, ptr %to, i64 %n) {
; CHECK-LABEL: define void @stored_elsewhere
; CHECK-NOT: piece
; CHECK: latch:
; CHECK: store float
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %mine = getelementptr float, ptr %sums, i64 %x
  %sum = load float, ptr %mine, align 4
  %other = getelementptr float, ptr %to, i64 %x
  %is.in = icmp slt i64 %x, %n
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  %v = load float, ptr %at, align 4
  %sum.next = fadd float %sum, %v
  br label %latch
latch:
  %merged = phi float [ %sum.next, %body ], [ %sum, %loop ]
  store float %merged, ptr %other, align 4
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 1024
  br i1 %end, label %out, label %loop
out:
  ret void
}
; A number with a sign, asked as one without, passes from the largest to 0.
define void @sign(ptr %a, i32 %before, i64 %n, i64 %end) {
; CHECK-LABEL: define void @sign
; CHECK-NOT: piece
; CHECK: ret void
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %i = add i32 %before, %narrow
  %wide = sext i32 %i to i64
  %is.in = icmp ult i64 %wide, %n
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 7.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
