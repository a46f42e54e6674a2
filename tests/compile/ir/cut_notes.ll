; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What a thread has noted of its place (`in = y < 3` in a branch, in two steps) is asked again behind the barrier: nothing
; is kept for each thread. What it has noted of data is kept, and so is what it has noted in an earlier turn.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-COUNT-2: load i8,
; CHECK-NOT: load i8,
; CHECK-LABEL: define internal void @kernel.loops.
; CHECK: icmp ugt i64 {{.*}}, 2
; CHECK: icmp ugt i64 {{.*}}, 2
; CHECK-NEXT: br i1 %above{{[^ ]*}}, label %again
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %more = getelementptr i8, ptr %args, i64 8
  %n = load i64, ptr %more
  %at = getelementptr i32, ptr %to, i64 %x
  %below = icmp ult i64 %x, %n
  br i1 %below, label %asks, label %met
asks:
  %above = icmp ugt i64 %x, 2
  br i1 %above, label %inner, label %met
inner:
  store i32 1, ptr %at
  %low = icmp ult i64 %y, 3
  br label %met
met:
  %in = phi i1 [ false, %entry ], [ false, %asks ], [ %low, %inner ]
  %datum = load i32, ptr %at
  %large = icmp sgt i32 %datum, 5
  br i1 %large, label %marks, label %marked
marks:
  store i32 9, ptr %at
  br label %marked
marked:
  %noted = phi i1 [ false, %met ], [ true, %marks ]
  call void @simt.loops.barrier()
  br i1 %in, label %again, label %other
again:
  store i32 2, ptr %at
  br label %other
other:
  call void @simt.loops.barrier()
  br i1 %noted, label %third, label %ready
third:
  store i32 3, ptr %at
  br label %ready
ready:
  %early = icmp ult i64 %x, 7
  br i1 %early, label %begins, label %turns
begins:
  store i32 5, ptr %at
  br label %turns
turns:
  %seen = phi i1 [ false, %ready ], [ true, %begins ], [ true, %turn ]
  %k = phi i64 [ 0, %ready ], [ 0, %begins ], [ %k.next, %turn ]
  call void @simt.loops.barrier()
  br i1 %seen, label %fourth, label %turn
fourth:
  store i32 4, ptr %at
  br label %turn
turn:
  %k.next = add i64 %k, 1
  %done = icmp eq i64 %k.next, %n
  br i1 %done, label %end, label %turns
end:
  ret void
}
