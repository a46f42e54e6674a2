; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; What calls itself cannot be inlined.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"recursion: again calls itself
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
define internal void @again(i64 %n) {
  %c = icmp eq i64 %n, 0
  br i1 %c, label %end, label %on
on:
  %m = sub i64 %n, 1
  call void @again(i64 %m)
  br label %end
end:
  ret void
}
KERNEL {
entry:
  call void @again(i64 %x)
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  ret void
}
