; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Threads that catch, too. Where what may throw may wait, that is the reason (refuse_pointer_invoked.ll).
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an exception
BODY
declare void @simt.loops.barrier() convergent
declare double @sin(double)
declare i32 @__gxx_personality_v0(...)
KERNEL personality ptr @__gxx_personality_v0 {
entry:
  %s = invoke double @sin(double 1.0) to label %on unwind label %caught
on:
  call void @simt.loops.barrier()
  ret void
caught:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
