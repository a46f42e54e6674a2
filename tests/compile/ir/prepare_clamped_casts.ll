; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Casts clamp to 32 or 64 bits, and those to shorts keep the low ones; what is converted is inside. NaN is less than any
; double, and than any float that becomes 64 bits.
; CHECK: fcmp olt float %f, 0x41E0000000000000
; CHECK: %[[below:.*]] = select i1 %{{.*}}, float %f, float 0.000000e+00
; CHECK: %[[kept:.*]] = select i1 %{{.*}}, float %[[below]], float 0xC1E0000000000000
; CHECK: fptosi float %[[kept]] to i32
; CHECK: select i1 %{{.*}}, i32 2147483647, i32
; CHECK: fcmp ugt double %d, 0.000000e+00
; CHECK: fptosi double %{{.*}} to i32
; CHECK: fcmp ult double
; CHECK: select i1 %{{.*}}, i32 %{{.*}}, i32 -1
; CHECK: trunc i32 %{{.*}} to i16
; CHECK: fcmp ult float %f, 0x43E0000000000000
; CHECK: fptosi float %{{.*}} to i64
; CHECK: select i1 %{{.*}}, i64 9223372036854775807, i64
BODY
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i16 @llvm.fptoui.sat.i16.f64(double)
declare i64 @llvm.fptosi.sat.i64.f32(float)
KERNEL {
entry:
  %f = load float, ptr %args
  %d = load double, ptr %args
  %int = call i32 @llvm.fptosi.sat.i32.f32(float %f)
  %short = call i16 @llvm.fptoui.sat.i16.f64(double %d)
  %long = call i64 @llvm.fptosi.sat.i64.f32(float %f)
  store i32 %int, ptr %args
  store i16 %short, ptr %args
  store i64 %long, ptr %args
  ret void
}
