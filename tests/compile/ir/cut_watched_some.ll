; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: a thread begins in front of all that it may announce, but behind the question that decides whether it
; announces anything. It begins in front of a division, too, which may be the fault of just this thread.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-NOT: switch i32
; CHECK: call void @simt_loop_thread(
; CHECK: switch i32
; CHECK-NOT: call void @simt_loop_thread(
; CHECK: br i1 %seven, label %[[WRITES:[^,]+]],
; CHECK: {{^}}[[WRITES]]:
; CHECK-NEXT: call void @simt_loop_thread(
; CHECK-NOT: sdiv
; CHECK: call void @simt_loop_thread(
; CHECK-NOT: call void @simt_loop_thread(
; CHECK: sdiv
BODY
declare void @simt.loops.barrier() convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  %wide = zext i32 %rank to i64
  %at = getelementptr i32, ptr %to, i64 %wide
  %three = icmp eq i32 %rank, 3
  br i1 %three, label %first, label %other
first:
  store i32 1, ptr %at
  br label %other
other:
  %five = icmp eq i32 %rank, 5
  br i1 %five, label %second, label %met
second:
  store i32 2, ptr %to
  br label %met
met:
  call void @simt.loops.barrier()
  %seven = icmp eq i32 %rank, 7
  br i1 %seven, label %third, label %divides
third:
  store i32 3, ptr %to
  br label %divides
divides:
  call void @simt.loops.barrier()
  %parts = sdiv i32 1000, %rank
  %eight = icmp eq i32 %parts, 8
  br i1 %eight, label %fourth, label %end
fourth:
  store i32 4, ptr %to
  br label %end
end:
  ret void
}
!0 = !{i32 0, i32 1024}
