; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; There is nothing to gain.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"no thread of the kernel waits for another
BODY
KERNEL {
entry:
  %at = getelementptr i32, ptr %args, i64 %x
  store i32 1, ptr %at
  ret void
}
