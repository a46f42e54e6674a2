; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Threads that catch, too.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an exception
BODY
declare void @simt.loops.barrier() convergent
declare void @somebody()
declare i32 @__gxx_personality_v0(...)
KERNEL personality ptr @__gxx_personality_v0 {
entry:
  invoke void @somebody() to label %on unwind label %caught
on:
  call void @simt.loops.barrier()
  ret void
caught:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
