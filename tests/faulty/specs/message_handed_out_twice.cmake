set(DEFECT "A message that was taken comes again.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "STA")
set(FILE opt/runtime/message.cpp)
set(OLD [==[  pending = false;
  return text;]==])
set(NEW [==[  return text;]==])
