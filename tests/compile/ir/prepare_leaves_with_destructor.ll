; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; A thread leaves while a variable with a destructor is alive: the call that says so ends its block, and goes.
; CHECK-LABEL: define internal void @kernel(
; CHECK-NOT: @simt_leaves_kernel
; CHECK: br label %gone
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
declare void @simt_leaves_kernel()
declare i32 @__gxx_personality_v0(...)
KERNEL personality ptr @__gxx_personality_v0 {
entry:
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  invoke void @simt_leaves_kernel()
          to label %gone unwind label %thrown
gone:
  store i32 1, ptr %arrays
  ret void
thrown:
  %caught = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %caught
}
