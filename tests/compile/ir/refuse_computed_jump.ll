; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Where a jump leads is not known.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a jump to a computed address
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = select i1 true, ptr blockaddress(@kernel, %a), ptr blockaddress(@kernel, %c)
  indirectbr ptr %to, [label %a, label %c]
a:
  br label %c
c:
  call void @simt.loops.barrier()
  ret void
}
