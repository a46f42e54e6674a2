; RUN: simt-before-vectoriser,function(loop-vectorize)
; WITH: -enable-masked-interleaved-mem-accesses
; SPDX-License-Identifier: Apache-2.0
; One member of four in each iteration, at an index of which nothing is known: addresses do not wrap, so wide loads take
; it, without a question in front of the loop.
; CHECK-LABEL: define void @first_members
; CHECK-NOT: icmp ult ptr
; CHECK: load <{{16|32}} x float>
; CHECK: shufflevector
; CHECK: ret void
target triple = "x86_64-unknown-linux-gnu"
define void @first_members(ptr noalias %a, ptr noalias %o, i64 %from, i64 %n) "target-cpu"="x86-64-v3" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = add i64 %i, %from
  %member = getelementptr inbounds { float, float, float, float }, ptr %a, i64 %place, i32 0
  %x = load float, ptr %member, align 4
  %y = getelementptr inbounds { float, float, float, float }, ptr %a, i64 %place, i32 1
  %v = load float, ptr %y, align 4
  %sum = fadd float %x, %v
  %to = getelementptr inbounds float, ptr %o, i64 %i
  store float %sum, ptr %to, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
