; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A loop over a barrier that stores has its own effects.
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK-NOT: call void @llvm.sideeffect()
; CHECK: {{^}}}
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  br label %again
again:
  %k = phi i32 [ 0, %entry ], [ %k.next, %again ]
  call void @simt.loops.barrier()
  store i32 %k, ptr %at
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, 7
  br i1 %more, label %again, label %end
end:
  ret void
}
