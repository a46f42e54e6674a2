; RUN: simt-mark
; SPDX-License-Identifier: Apache-2.0
; Each member's products come from one product of all, which code generation is to leave whole. Where one part is taken there is
; nothing to gain.
; CHECK-LABEL: define internal void @kernel(
; CHECK: %[[ALL:.*]] = fmul <8 x float> %v, %w
; CHECK: %[[WHOLE:.*]] = call <8 x float> @llvm.arithmetic.fence.v8f32(<8 x float> %[[ALL]])
; CHECK-NEXT: shufflevector <8 x float> %[[WHOLE]], {{.*}} <i32 0, i32 2, i32 4, i32 6>
; CHECK-NOT: fmul
; CHECK: shufflevector <8 x float> %[[WHOLE]], {{.*}} <i32 1, i32 3, i32 5, i32 7>
; CHECK: %[[ONE:.*]] = fsub <8 x float> %v, %w
; CHECK-NEXT: shufflevector <8 x float> %[[ONE]],
; CHECK: ret void
BODY
KERNEL {
entry:
  %to = load ptr, ptr %args
  %v = load <8 x float>, ptr %to
  %more = getelementptr i8, ptr %to, i64 32
  %w = load <8 x float>, ptr %more
  %first = fmul <8 x float> %v, %w
  %even = shufflevector <8 x float> %first, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %second = fmul <8 x float> %v, %w
  %odd = shufflevector <8 x float> %second, <8 x float> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %both = fadd <4 x float> %even, %odd
  %third = fsub <8 x float> %v, %w
  %some = shufflevector <8 x float> %third, <8 x float> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %sum = fadd <4 x float> %both, %some
  store <4 x float> %sum, ptr %to
  ret void
}
