; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A call beside variables that have destructors (nvstd::function's operator()): what it calls may wait, which says more than
; that it may throw.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a call through a pointer, which may wait
BODY
declare void @simt.loops.barrier() convergent
declare i32 @__gxx_personality_v0(...)
KERNEL personality ptr @__gxx_personality_v0 {
entry:
  %called = load ptr, ptr %args
  invoke void %called() to label %on unwind label %caught
on:
  call void @simt.loops.barrier()
  ret void
caught:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
