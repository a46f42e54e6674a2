; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; What is counted runs on fibers by the same markers, where a vote of all lanes would wait for those that do not come.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp, which loops do not know
BODY
@simt_profile_wanted = external global i8
declare i32 @_ZN4simt3sim12active_lanesERNS0_13block_contextEilPKci(ptr, i32, i64, ptr, i32)
KERNEL {
entry:
  %m = call i32 @_ZN4simt3sim12active_lanesERNS0_13block_contextEilPKci(ptr %b, i32 0, i64 0, ptr null, i32 0)
  store i32 %m, ptr %args
  ret void
}
