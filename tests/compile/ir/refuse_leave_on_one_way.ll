; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Who has left is known on one of the two ways to the last barrier.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"threads that leave on one way to a barrier only
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %c = icmp eq i64 %bx, 0
  br i1 %c, label %some, label %all
some:
  call void @simt.loops.barrier()
  %d = icmp ult i64 %x, 7
  br i1 %d, label %end, label %meet
all:
  call void @simt.loops.barrier()
  br label %meet
meet:
  call void @simt.loops.barrier()
  br label %end
end:
  ret void
}
