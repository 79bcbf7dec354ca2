/* What mindtorch_v2's loader insists on beyond gradproof: eight symbols that must exist. Nothing pretends
   to work: both phases answer 561000, an internal error. */
#define OPERATOR(name)                                                                       \
  __attribute__((visibility("default"))) int aclnn##name##GetWorkspaceSize(void) { return 561000; } \
  __attribute__((visibility("default"))) int aclnn##name(void) { return 561000; }
OPERATOR(Add)
OPERATOR(Mul)
OPERATOR(Relu)
OPERATOR(ReduceSum)
