; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; In a module with much code, shapes that no launch names get no copies; one that a launch names has one.
; CHECK: @simt.loops.copies = private constant [1 x {{.*}}] [{{.*}} { i64 128, i64 1, i64 1, ptr @kernel.loops.128x1, i64 {{.*}} }]
; CHECK-NOT: @kernel.loops.256x1
BODY
declare void @simt.loops.barrier() convergent
declare void @_ZN9simt_cuda9configureE4dim3S0_m(i64, i32, i64, i32, i64)
define void @host(i64 %block) {
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 4294967424, i32 1, i64 0)
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 %block, i32 1, i64 0)
  ret void
}
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.barrier()
REPEAT 1100: store volatile i32 #, ptr %to
  ret void
}
