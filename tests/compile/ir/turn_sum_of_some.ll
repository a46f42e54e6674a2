; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Some threads do not come to a loop with a sum: they sit its turns out, and what they have stays.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: ask:
; CHECK: [[KEPT:%[0-9]+]] = load float,
; CHECK: icmp slt i64 %k.next, %n
; CHECK: %turned{{.*}} = phi float [ %sum.next, %loop ], [ [[KEPT]], %ask ]
; CHECK: icmp ult i64 {{.*}}, 255
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %from = load ptr, ptr %args
  %n.at = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %n.at
  %to = getelementptr float, ptr %from, i64 %x
  call void @simt.loops.barrier()
  %number = load i32, ptr %to
  %takes.part = icmp sgt i32 %number, 40
  br i1 %takes.part, label %ahead, label %done
ahead:
  br label %loop
loop:
  %k = phi i64 [ 0, %ahead ], [ %k.next, %loop ]
  %sum = phi float [ 2.0, %ahead ], [ %sum.next, %loop ]
  %row = mul i64 %k, 1000
  %element = add i64 %row, %x
  %at = getelementptr float, ptr %from, i64 %element
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 1.0, %entry ], [ %sum.next, %loop ]
  call void @simt.loops.barrier()
  store float %result, ptr %to
  ret void
}
