; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Who asks for a thread's rank asks for z. The kernel has copies for the shapes in which it is launched: in blocks of
; one plane z is 0, so that the rank is a sum of x and y there; and for blocks of several planes.
; CHECK: @simt.loops.copies = private constant [2 x {{.*}}] [{{.*}} { i64 8, i64 8, i64 8, ptr @kernel.loops.8x8x8, {{.*}} }, {{.*}} { i64 16, i64 16, i64 1, ptr @kernel.loops.16x16, {{.*}} }]
BODY
declare void @simt.loops.barrier() convergent
declare void @_ZN9simt_cuda9configureE4dim3S0_m(i64, i32, i64, i32, i64)
declare void @launch(ptr)
define void @host() {
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 68719476752, i32 1, i64 0)
  call void @launch(ptr @body)
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 34359738376, i32 8, i64 0)
  call void @launch(ptr @body)
  ret void
}
KERNEL {
entry:
  %to = load ptr, ptr %args
  %planes = mul i64 %z, %dy
  %row = add i64 %planes, %y
  %before = mul i64 %row, %dx
  %rank = add i64 %before, %x
  %at = getelementptr i32, ptr %to, i64 %rank
  store i32 1, ptr %at
  call void @simt.loops.barrier()
  store i32 2, ptr %at
  ret void
}
