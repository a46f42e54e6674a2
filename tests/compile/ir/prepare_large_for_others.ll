; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Functions count as what is left of them where they are inlined: these calls ask for little of a large one.
; CHECK: @body = constant {{.*}} { ptr @kernel, ptr null
; CHECK-NOT: too large
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
define internal void @some(i1 %all, ptr %p) {
  br i1 %all, label %much, label %end
much:
REPEAT 1000:   store volatile i32 #, ptr %p
  br label %end
end:
  ret void
}
KERNEL {
entry:
REPEAT 60:   call void @some(i1 false, ptr %args)
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  ret void
}
