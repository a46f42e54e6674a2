; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Some threads do not come to a loop with a sum, whose turns are counted by a number that is wider than the one that is
; asked for: that ends, whatever nobody has asked for, because it begins as such a number.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: ask:
; CHECK: [[KEPT:%[0-9]+]] = load float,
; CHECK: %[[CUT:.*]] = trunc {{.*}}i64 %k.next to i32
; CHECK: icmp sgt i32 %n, %[[CUT]]
; CHECK: %turned{{.*}} = phi float [ %sum.next, %loop ], [ [[KEPT]], %ask ]
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %from = load ptr, ptr %args
  %n.at = getelementptr i64, ptr %args, i64 1
  %n = load i32, ptr %n.at
  %n.first = sub nsw i32 0, %n
  %first = sext i32 %n.first to i64
  %to = getelementptr float, ptr %from, i64 %x
  call void @simt.loops.barrier()
  %number = load i32, ptr %to
  %takes.part = icmp sgt i32 %number, 40
  br i1 %takes.part, label %ahead, label %done
ahead:
  br label %loop
loop:
  %k = phi i64 [ %first, %ahead ], [ %k.next, %loop ]
  %sum = phi float [ 2.0, %ahead ], [ %sum.next, %loop ]
  %row = mul i64 %k, 1000
  %element = add i64 %row, %x
  %at = getelementptr float, ptr %from, i64 %element
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %k.next = add nsw i64 %k, 1
  %cut = trunc i64 %k.next to i32
  %more = icmp ne i32 %cut, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 1.0, %entry ], [ %sum.next, %loop ]
  call void @simt.loops.barrier()
  store float %result, ptr %to
  ret void
}
