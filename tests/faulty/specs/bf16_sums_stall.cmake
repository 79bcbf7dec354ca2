set(DEFECT "Gradients of overlapping windows are added in BF16: 256 + 1 = 256.")
set(TRACKER "oneDNN#2386")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "LOW SUM")
set(FILE opt/kernels/mask_pool/gather_rows-inl.h)
set(SOURCES opt/kernels/mask_pool/gather_rows_tile.cpp)
set(OLD [==[#if HWY_TARGET == HWY_AVX3
  sum.raw = _mm512_mask_add_ps(sum.raw, chosen.raw, sum.raw, term.raw);  // no sum is −0
#else
  sum = AddTerm(hn::IfThenElseZero(chosen, term), sum);
#endif]==])
set(NEW [==[sum = AddTerm(hn::IfThenElseZero(chosen, term), sum);]==])
set(OLD_2 [==[return hn::Add(sum, term);]==])
set(NEW_2 [==[BFloat16 rounded[16];
  narrow_to(rounded, Floats(), hn::Add(sum, term));
  return widen_from(Floats(), rounded);]==])
