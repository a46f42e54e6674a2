; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; Every fourth iteration from the first whose index, which may wrap, has no low bits: as many as there are.
; CHECK-LABEL: define void @low_bits
; CHECK: [[NOT:%.*]] = sub i2 0, {{%.*}}
; CHECK: [[FIRST:%.*]] = zext i2 [[NOT]] to i64
; CHECK: lshr i64 {{%.*}}, 2
; CHECK: br i1 {{%.*}}, label %chosen, label %out
; CHECK: %turn = phi i64
; CHECK: [[GONE:%.*]] = mul {{.*}}i64 %turn, 4
; CHECK: %x{{.*}} = add {{.*}}[[GONE]]
; CHECK-NOT: icmp eq
; CHECK: store float 1.0
; CHECK: ret void
define void @low_bits(ptr %a, i32 %before, i64 %end) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %i = add i32 %before, %narrow
  %low = and i32 %i, 3
  %is.it = icmp eq i32 %low, 0
  br i1 %is.it, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 1.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; A divisor that is not known: a copy of the loop, for divisors from 4 on where no index wraps. Nobody divides by 0.
; CHECK-LABEL: define void @remainder
; CHECK: [[BY:%.*]] = zext i32 %m to i64
; CHECK: [[ZERO:%.*]] = icmp eq i64 [[BY]], 0
; CHECK: [[STRIDE:%.*]] = select i1 [[ZERO]], i64 1, i64 [[BY]]
; CHECK: urem i64 {{.*}}, [[STRIDE]]
; CHECK: icmp uge i64 [[BY]], 4
; CHECK: icmp ule i64 {{.*}}, 4294967295
; CHECK: br i1 {{%.*}}, label %{{.*}}.sparse, label
; CHECK: loop.sparse:
; CHECK: mul {{.*}}i64 %turn, [[STRIDE]]
; CHECK-NOT: urem i32
; CHECK: store float 2.0
; CHECK: urem i32
; CHECK: store float 2.0
; CHECK: ret void
define void @remainder(ptr %a, i32 %before, i32 %m, i64 %end) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %i = add i32 %before, %narrow
  %rest = urem i32 %i, %m
  %is.it = icmp eq i32 %rest, 0
  br i1 %is.it, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 2.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; A mask that is not known: steps by its lowest gap, and what is left of the question is asked.
; CHECK-LABEL: define void @mask
; CHECK: [[BITS:%.*]] = zext i32 %m to i64
; CHECK: loop.sparse:
; CHECK: and i32
; CHECK: store float 3.0
; CHECK: ret void
define void @mask(ptr %a, i32 %m, i64 %end) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %low = and i32 %narrow, %m
  %is.it = icmp eq i32 %low, 0
  br i1 %is.it, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 3.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; A multiple below a limit, where neither factor is known: the loop ends where it is reached.
; CHECK-LABEL: define void @multiple
; CHECK: udiv i64
; CHECK: loop.sparse:
; CHECK-NOT: icmp slt
; CHECK: store float 4.0
; CHECK: ret void
define void @multiple(ptr %a, i32 %c, i32 %n, i64 %end) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %narrow = trunc i64 %x to i32
  %i = mul i32 %narrow, %c
  %is.in = icmp slt i32 %i, %n
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 4.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; What all iterations do in front of the question is done by all.
; CHECK-LABEL: define void @effect_first
; CHECK-NOT: %turn
; CHECK: store float 5.0
; CHECK: icmp eq i32
; CHECK: ret void
define void @effect_first(ptr %a, ptr %b, i64 %end) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %by.all = getelementptr float, ptr %b, i64 %x
  store float 5.0, ptr %by.all
  %narrow = trunc i64 %x to i32
  %low = and i32 %narrow, 3
  %is.it = icmp eq i32 %low, 0
  br i1 %is.it, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  store float 6.0, ptr %at
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
