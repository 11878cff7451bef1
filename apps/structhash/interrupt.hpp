#pragma once

#include "structhash/core/parallel.hpp"

/// Ctrl-C and SIGTERM ask long work to stop at its next safe point; a second one ends the process.
namespace structhash::cli {

void install_interrupt_handlers();
bool interrupted();

/// Threads whose loops stop by themselves once the user asked to.
Threads interruptible(int threads);

/// Between two stages of a command: throws Errc::interrupted if the user asked to stop.
void stop_if_interrupted();

}  // namespace structhash::cli
