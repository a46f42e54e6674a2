; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Two floats in one register, as functions take and give a float2: each member is a number of its own, before and behind
; the barrier, so that threads can be put side by side.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-NOT: <2 x float>
; CHECK: fadd float
; CHECK: fadd float
; CHECK-NOT: <2 x float>
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i64, ptr %to, i64 %x
  %was = load <2 x float>, ptr %at, align 8
  %first = extractelement <2 x float> %was, i64 0
  %swapped = insertelement <2 x float> %was, float %first, i64 1
  %sum = fadd <2 x float> %was, %swapped
  call void @simt.loops.barrier()
  %next = getelementptr i64, ptr %at, i64 1
  store <2 x float> %sum, ptr %next, align 8
  ret void
}
