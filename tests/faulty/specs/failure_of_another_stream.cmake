set(DEFECT "Synchronising a stream reports failures of all streams.")
set(OPERATOR max_pool3d_with_argmax_backward)
set(EXPECTED "STA")
set(FILE opt/runtime/stream_table.cpp)
set(OLD [==[return refuse("aclrtSynchronizeStream", "stream", stream, HandleKind::stream, kRuntimeCodes);
    }
    return report(found->synchronize());]==])
set(NEW [==[return refuse("aclrtSynchronizeStream", "stream", stream, HandleKind::stream, kRuntimeCodes);
    }
    return report(synchronize_device());]==])
