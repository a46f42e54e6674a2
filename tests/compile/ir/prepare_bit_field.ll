; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; A write of a bit-field puts the other bits of its word back: that read is not watched. A program's own update is, which
; says its type; so is a read that somebody else uses.

; CHECK-LABEL: define void @field
; CHECK: load i32, ptr %p, align 4, !nosanitize
define void @field(ptr %p, i32 %v) sanitize_thread {
  %old = load i32, ptr %p, align 4
  %bits = and i32 %v, 4095
  %rest = and i32 %old, -4096
  %new = or i32 %rest, %bits
  store i32 %new, ptr %p, align 4
  ret void
}

; CHECK-LABEL: define void @update
; CHECK-NOT: !nosanitize
define void @update(ptr %p, i32 %v) sanitize_thread {
  %old = load i32, ptr %p, align 4, !tbaa !0
  %rest = and i32 %old, -4096
  %new = or i32 %rest, %v
  store i32 %new, ptr %p, align 4, !tbaa !0
  ret void
}

; CHECK-LABEL: define i32 @used
; CHECK-NOT: !nosanitize
define i32 @used(ptr %p, i32 %v) sanitize_thread {
  %old = load i32, ptr %p, align 4
  %rest = and i32 %old, -4096
  %new = or i32 %rest, %v
  store i32 %new, ptr %p, align 4
  ret i32 %old
}

; CHECK-LABEL: define void @other_word
; CHECK-NOT: !nosanitize
define void @other_word(ptr %p, ptr %q, i32 %v) sanitize_thread {
  %old = load i32, ptr %q, align 4
  %rest = and i32 %old, -4096
  %new = or i32 %rest, %v
  store i32 %new, ptr %p, align 4
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"char"}
