// The part of the mixed program that is compiled without exceptions.
#include "gradproof/runtime.hpp"

using namespace gradproof::aclnn;

/// Uses what the other part uses too, on a call that goes well.
std::size_t plain_size() { return Buffer<float>::allocate(3).value().size(); }

/// A failure for the other part to ask.
Expected<Buffer<float>> plain_failure() { return Buffer<float>::allocate(0); }
