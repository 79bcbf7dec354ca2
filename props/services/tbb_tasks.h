// Tasks of oneTBB, for a program that has oneTBB only where it asks about them: a library of its
// own has the function, so that a library under test never finds oneTBB in `gradproof` itself.
#pragma once

extern "C" {

/// Calls body(argument, task, thread) once for each task from 0 on. Up to `threads` of them run at
/// once, each on a thread of another number from 0 on.
using GradproofTaskBody = void(void* argument, int task, int thread);
void gradproof_run_tasks(int threads, int tasks, GradproofTaskBody* body, void* argument);
}
