; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What a thread has loaded, and uses behind a step of some threads, would have to be kept for each thread: there is no
; array in which it could be.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null, {{.*}}, i64 0, i64 1, i64 0, i64 1 }
BODY
@key = global i8 0
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr)
KERNEL {
entry:
  %in = load ptr, ptr %args
  %tile = call ptr @simt.loops.shared(ptr %b, ptr @key)
  %from = getelementptr float, ptr %in, i64 %x
  %v = load float, ptr %from
  %mine = getelementptr float, ptr %tile, i64 %x
  store float %v, ptr %mine
  %is.first = icmp eq i64 %x, 0
  br i1 %is.first, label %first, label %meet
first:
  %left = getelementptr float, ptr %tile, i64 1024
  store float 2.0, ptr %left
  br label %meet
meet:
  %more = getelementptr float, ptr %mine, i64 2048
  store float %v, ptr %more
  call void @simt.loops.barrier()
  %back = sub i64 63, %x
  %other = getelementptr float, ptr %tile, i64 %back
  %all = load float, ptr %other
  store float %all, ptr %from
  ret void
}
