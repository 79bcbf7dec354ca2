set(DEFECT "Overlapping windows: an element keeps the last gradient instead of the sum.")
set(TRACKER "ocannl#512, tangermeme#95")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "SUM EQ")
set(FILE opt/kernels/mask_pool/gather_rows-inl.h)
set(SOURCES opt/kernels/mask_pool/gather_rows_tile.cpp)
set(OLD [==[#if HWY_TARGET == HWY_AVX3
  sum.raw = _mm512_mask_add_ps(sum.raw, chosen.raw, sum.raw, term.raw);  // no sum is −0
#else
  sum = AddTerm(hn::IfThenElseZero(chosen, term), sum);
#endif]==])
set(NEW [==[sum = hn::IfThenElse(chosen, term, sum);]==])
set(OLD_2 [==[return hn::Add(sum, term);]==])
set(NEW_2 [==[return hn::IfThenElse(hn::Eq(term, hn::Zero(Floats())), sum, term);]==])
