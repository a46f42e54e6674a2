; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Threads of the kernel wait: on fibers they run by calls, and the loop that would be the kernel's own is gone.
; CHECK-NOT: @own_loop
; CHECK-LABEL: define void @block_body(
; CHECK-NOT: @own_loop
; CHECK: call void @calls(
; CHECK-NOT: @own_loop
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
declare i1 @_ZN9simt_cuda12kernel_waitsEPKN4simt3sim9loop_bodyE(ptr)
declare void @calls()
define linkonce_odr void @own_loop() {
  ret void
}
define void @block_body() {
entry:
  %waits = call i1 @_ZN9simt_cuda12kernel_waitsEPKN4simt3sim9loop_bodyE(ptr @body)
  br i1 %waits, label %yes, label %no
yes:
  call void @calls()
  ret void
no:
  call void @own_loop()
  ret void
}
KERNEL {
entry:
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  ret void
}
