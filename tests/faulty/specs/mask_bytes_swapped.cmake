set(DEFECT "The two bytes of a mask word are taken in the wrong order.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "EQ")
set(FILE opt/kernels/mask_pool/words-inl.h)
set(SOURCES opt/kernels/mask_pool/gather_rows_tile.cpp)
set(OLD [==[store_words<place_of>(load_words(d, words + 2 * i), sum + i, to);]==])
set(NEW [==[const auto all = load_words(d, words + 2 * i);
      store_words<place_of>(hn::Or(hn::ShiftRight<8>(all), hn::ShiftLeft<8>(all)), sum + i, to);]==])
