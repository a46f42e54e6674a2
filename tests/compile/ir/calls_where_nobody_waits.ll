; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; No thread of the kernel waits: it has a loop over threads of its own, for the vectoriser.
; CHECK-LABEL: define void @block_body(
; CHECK-NOT: @calls
; CHECK: call void @own_loop(
; CHECK-NOT: @calls
BODY
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
  %at = getelementptr i32, ptr %args, i64 %x
  store i32 1, ptr %at
  ret void
}
