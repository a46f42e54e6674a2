; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A loop over a barrier in which nothing else happens has an effect, so nobody takes it to end.
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: call void @llvm.sideeffect()
; CHECK: {{^}}}
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  br label %round
round:
  call void @simt.loops.barrier()
  %first = load i32, ptr %to
  %ends = icmp slt i32 %first, 0
  br i1 %ends, label %done, label %round
done:
  ret void
}
