; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Some threads come to a loop with a sum, and what they begin with is read only if there is any turn, which all know alike.
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: br i1 %any, label %[[SOME:.*]], label %[[NONE:.*]]
; CHECK: [[SOME]]:
; CHECK: load float, ptr %first.mine
; CHECK: [[NONE]]:
; CHECK-NOT: load float
; CHECK: store float 2.000000e+00
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %from = load ptr, ptr %args
  %n.at = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %n.at
  %first.at = getelementptr i64, ptr %args, i64 2
  %first = load ptr, ptr %first.at
  %to = getelementptr float, ptr %from, i64 %x
  call void @simt.loops.barrier()
  %number = load i32, ptr %to
  %takes.part = icmp sgt i32 %number, 40
  br i1 %takes.part, label %ask, label %done
ask:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %ahead, label %meet
ahead:
  %first.mine = getelementptr float, ptr %first, i64 %x
  %begin = load float, ptr %first.mine
  br label %loop
loop:
  %k = phi i64 [ 0, %ahead ], [ %k.next, %loop ]
  %sum = phi float [ %begin, %ahead ], [ %sum.next, %loop ]
  %row = mul i64 %k, 1000
  %element = add i64 %row, %x
  %at = getelementptr float, ptr %from, i64 %element
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %out
out:
  %out.sum = phi float [ %sum.next, %loop ]
  br label %meet
meet:
  %met = phi float [ 2.0, %ask ], [ %out.sum, %out ]
  br label %done
done:
  %result = phi float [ 1.0, %entry ], [ %met, %meet ]
  call void @simt.loops.barrier()
  store float %result, ptr %to
  ret void
}
