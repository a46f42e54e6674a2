; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Both alternatives end in one store, by different ways: it leads on to where they have met. The second question is not asked
; behind it, or who has answered it once would answer it for ever.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: common:
; CHECK: store i32 %value
; CHECK-NEXT: br label %x.next
BODY
@key = global i8 0
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr)
KERNEL {
entry:
  %out = load ptr, ptr %args
  %tile = call ptr @simt.loops.shared(ptr %b, ptr @key)
  %mine = getelementptr i32, ptr %tile, i64 %x
  %number = trunc i64 %x to i32
  store i32 %number, ptr %mine
  call void @simt.loops.barrier()
  %sum = load i32, ptr %tile
  %is.last = icmp eq i64 %x, 127
  br i1 %is.last, label %common, label %other
other:
  %is.fifth = icmp eq i64 %x, 5
  %is.low = icmp slt i32 %sum, 0
  %both = select i1 %is.fifth, i1 %is.low, i1 false
  br i1 %both, label %common, label %meet
common:
  %at = phi i64 [ 0, %entry ], [ 8, %other ]
  %value = phi i32 [ %sum, %entry ], [ 1, %other ]
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %value, ptr %to
  br label %meet
meet:
  ret void
}
