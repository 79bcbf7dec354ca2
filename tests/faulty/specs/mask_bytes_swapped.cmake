set(DEFECT "The two bytes of a mask word are taken in the wrong order.")
set(OPERATOR max_pool2d_with_mask_backward)
set(EXPECTED "EQ")
set(FILE opt/kernels/simd/mask_slab_tile.cpp)
set(OLD [==[hn::StoreU(hn::PromoteTo(du, load_words(d, words + 2 * i)), du, unpacked_ + i);]==])
set(NEW [==[const auto word = hn::PromoteTo(du, load_words(d, words + 2 * i));
        hn::StoreU(hn::Or(hn::ShiftRight<8>(word), hn::And(hn::ShiftLeft<8>(word), hn::Set(du, 0xff00u))), du, unpacked_ + i);]==])
