// One call in two forms, on the C API and on the C++ layer: what cost_test.cpp compares.
#pragma once

/// From descriptors to synchronisation, once. Each answers whether all went well.
extern "C" bool c_form();
extern "C" bool cpp_form();
