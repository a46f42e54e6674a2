; RUN: simt-bounds
; SPDX-License-Identifier: Apache-2.0
; `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)` is no condition of each thread: the loop ends where it fails.
; It goes to the first wrap of the int, a copy of it from one wrap to the next, and what is widened of it is as wide as the loop's index.
define void @guard(ptr %a, i32 %before, i32 %n, i64 %first, i64 %end) {
; CHECK-LABEL: define void @guard
; The first piece is measured in front, the others between two of them.
; CHECK: sub i32 2147483647,
; CHECK: [[LEFT:%.*]] = sub i32 %n,
; CHECK: [[DISTANCE:%.*]] = zext i32 [[LEFT]] to i64
; CHECK: [[SOME:%.*]] = icmp slt i32 {{.*}}, %n
; CHECK: select i1 [[SOME]], i64 [[DISTANCE]], i64 0
; CHECK: br i1 {{.*}}, label %piece.rows, label %piece.end
; CHECK: piece.end:
; CHECK-NOT: 2147483647
; CHECK: br i1 {{.*}}, label %piece.next, label %out
; CHECK: piece.next:
; CHECK: %gone = phi i64
; CHECK: sub i32 2147483647,
; CHECK: br i1 {{.*}}, label %piece.rows.next, label %piece.end.next
; CHECK: piece.end.next:
; CHECK: br i1 {{.*}}, label %piece.next, label %out
; CHECK: loop:
; CHECK-NOT: icmp slt
; CHECK-NOT: sext
; CHECK: %wide = add i64 %x,
; CHECK-NOT: icmp slt
; CHECK: getelementptr float, ptr %a, i64 %wide
; CHECK: icmp ne i64 %x.next,
; What is left behind a wrap has a loop of its own, with neither vectors nor the question.
; CHECK: loop.next:
; CHECK-NOT: icmp slt i32
; CHECK: br i1 {{.*}}, label %loop.next, label %piece.end.next{{.*}}, !llvm.loop [[FEW:![0-9]+]]
entry:
  br label %loop
loop:
  %x = phi i64 [ %first, %entry ], [ %x.next, %latch ]
  %x.narrow = trunc i64 %x to i32
  %i = add i32 %before, %x.narrow
  %is.in = icmp slt i32 %i, %n
  br i1 %is.in, label %body, label %latch
body:
  %i.wide = sext i32 %i to i64
  %at = getelementptr float, ptr %a, i64 %i.wide
  store float 1.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nsw i64 %x, 1
  %more = icmp slt i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; A lower bound, an upper one and an equality, of one index: all of them are bounds.
define void @several(ptr %a, i64 %before, i64 %n, i64 %end) {
; CHECK-LABEL: define void @several
; CHECK: loop:
; CHECK-NOT: icmp sgt
; CHECK-NOT: icmp slt
; CHECK-NOT: icmp eq
; CHECK: store float 2.0
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %i = add i64 %before, %x
  %above = icmp sgt i64 %i, 3
  %below = icmp slt i64 %i, %n
  %both = and i1 %above, %below
  br i1 %both, label %inner, label %latch
inner:
  %is.that = icmp eq i64 %i, 77
  br i1 %is.that, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %i
  store float 2.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %x.next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}
; What iterations that do nothing store back is not stored.
define void @stored_back(ptr %sums, ptr %a, i64 %n) {
; CHECK-LABEL: define void @stored_back
; CHECK: loop:
; CHECK-NOT: phi float
; CHECK-NOT: icmp slt
; CHECK: store float %sum.next, ptr %mine
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %mine = getelementptr float, ptr %sums, i64 %x
  %sum = load float, ptr %mine, align 4
  %is.in = icmp slt i64 %x, %n
  br i1 %is.in, label %body, label %latch
body:
  %at = getelementptr float, ptr %a, i64 %x
  %v = load float, ptr %at, align 4
  %sum.next = fadd float %sum, %v
  br label %latch
latch:
  %merged = phi float [ %sum.next, %body ], [ %sum, %loop ]
  store float %merged, ptr %mine, align 4
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 1024
  br i1 %end, label %out, label %loop
out:
  ret void
}
; `unsigned before = threadIdx.x - 1; if (before < 14)` fails in front of the wrap and holds behind it: one piece for all.
define void @goes_round(ptr %a, i32 %begin, i32 %n) {
; CHECK-LABEL: define void @goes_round
; CHECK: [[HOLDS:%.*]] = icmp ult i32 %begin, %n
; CHECK: [[WRAP:%.*]] = call i64 @llvm.uadd.sat.i64(
; CHECK: [[ROUND:%.*]] = add i64 [[WRAP]], 4294967296
; CHECK: select i1 [[HOLDS]], i64 [[WRAP]], i64 [[ROUND]]
; CHECK: select i1 [[HOLDS]], i64 0, i64 [[WRAP]]
; CHECK: loop:
; CHECK-NOT: icmp ult i32
; CHECK: %wide = add i64 %x,
; CHECK: store float 3.0
entry:
  br label %loop
loop:
  %x = phi i64 [ 0, %entry ], [ %x.next, %latch ]
  %x.narrow = trunc i64 %x to i32
  %i = add i32 %begin, %x.narrow
  %is.in = icmp ult i32 %i, %n
  br i1 %is.in, label %body, label %latch
body:
  %i.wide = zext i32 %i to i64
  %at = getelementptr float, ptr %a, i64 %i.wide
  store float 3.0, ptr %at, align 4
  br label %latch
latch:
  %x.next = add nuw nsw i64 %x, 1
  %end = icmp eq i64 %x.next, 1024
  br i1 %end, label %out, label %loop
out:
  ret void
}
; CHECK: [[FEW]] = distinct !{[[FEW]], [[NO_UNROLL:![0-9]+]], [[NO_VECTORS:![0-9]+]]}
; CHECK: [[NO_VECTORS]] = !{!"llvm.loop.vectorize.enable", i1 false}
