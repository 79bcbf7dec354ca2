#!/bin/bash -eu
# What OSS-Fuzz and ClusterFuzzLite run in their image.
"$SRC/gradproof/fuzz/package.sh"
