; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; One thread of the grid adds up what all have left: turned, all threads would ask in each turn whether they are that one.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-NOT: turned
; CHECK: %sum = phi double {{.*}}%sum.next
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %parts = load ptr, ptr %args
  %n.at = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %n.at
  call void @simt.loops.barrier()
  %plane = mul i64 %z, %dy
  %row = add i64 %plane, %y
  %in.rows = mul i64 %row, %dx
  %in.block = add i64 %in.rows, %x
  %before = mul i64 %bx, %dx
  %rank = add i64 %in.block, %before
  %is.first = icmp eq i64 %rank, 0
  br i1 %is.first, label %ahead, label %done
ahead:
  br label %loop
loop:
  %k = phi i64 [ 0, %ahead ], [ %k.next, %loop ]
  %sum = phi double [ 0.0, %ahead ], [ %sum.next, %loop ]
  %at = getelementptr double, ptr %parts, i64 %k
  %v = load double, ptr %at
  %sum.next = fadd double %sum, %v
  store double %sum.next, ptr %parts
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  call void @simt.loops.barrier()
  ret void
}
