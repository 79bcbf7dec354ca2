// The threads of OpenMP, on which ATen and oneDNN compute. After their work they go on spinning for
// some milliseconds, on the cores of whoever is next; and a thread that sleeps is often woken on
// the core of the one that waits for it.
#pragma once

namespace gradproof::bench {

/// Starts them and waits until each has a processor of its own, or 50 ms, so that a peer's time
/// does not contain it.
void start_openmp_threads(int threads);
/// Ends them all.
void end_openmp_threads();

}  // namespace gradproof::bench
