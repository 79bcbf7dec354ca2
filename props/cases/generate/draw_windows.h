// Windows that kernels of pools are made for, or just not, and images for them.
#pragma once

#include "props/cases/generate/draw_case.h"

namespace gradproof::props {

/// Windows beyond those that fast code is made for: of 15 to 18 or of 66 to 69 positions on one
/// axis, far apart, or wide on every axis. Those of 15 to 18 positions have small images of several
/// channels, which share words of a mask. The padding stays 0.
void draw_unusual(Draw& draw, PoolShape& pool);

/// What most networks do: windows of two columns side by side, over rows that are worth vectors; up
/// to 4096 elements. Some windows have another width or stride. The padding stays 0.
void draw_halving(Draw& draw, PoolShape& pool);

/// Windows that touch, overlap or are apart, over as many channels as are worth it where they are
/// last; up to 4096 elements. The padding stays 0.
void draw_channels(Draw& draw, PoolShape& pool);

/// Windows that overlap, over several channels that share words of a mask and rows that are worth
/// vectors. The padding stays 0, but for that of some low images.
void draw_overlapping(Draw& draw, PoolShape& pool);

/// What is cut out of larger images: rows worth vectors, windows of two columns side by side or of
/// three that overlap, and any rows and slices. The padding stays 0, but for rows of some.
void draw_region(Draw& draw, PoolShape& pool);

}  // namespace gradproof::props
