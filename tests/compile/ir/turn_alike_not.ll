; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What differs between threads is read by those that enter alone: the first loop over threads ends where the others begin,
; and has the load in it. (Read like what is the same, it would be read by all 256 as soon as one enters.)
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK-NOT: load i64, ptr %names.mine
; CHECK: %enters{{.*}} = icmp slt i64 %{{.*}}, %n
; CHECK: br i1 %enters{{[^,]*}}, label %[[AHEAD:.*]], label
; CHECK: [[AHEAD]]:
; CHECK: load i64, ptr %names.mine
; CHECK: store float
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %from = load ptr, ptr %args
  %n.at = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %n.at
  %names.at = getelementptr i64, ptr %args, i64 2
  %names = load ptr, ptr %names.at
  call void @simt.loops.barrier()
  %enters = icmp slt i64 %x, %n
  br i1 %enters, label %ahead, label %done
ahead:
  %names.mine = getelementptr i64, ptr %names, i64 %x
  %row = load i64, ptr %names.mine
  br label %loop
loop:
  %k = phi i64 [ %x, %ahead ], [ %k.next, %loop ]
  %element = add i64 %row, %k
  %at = getelementptr float, ptr %from, i64 %element
  store float 1.0, ptr %at
  %k.next = add nuw nsw i64 %k, 256
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  call void @simt.loops.barrier()
  ret void
}
