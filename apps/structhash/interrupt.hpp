#pragma once

#include "structhash/core/parallel.hpp"

/// Ctrl-C and SIGTERM stop long work at its next safe point; a second one ends the process.
namespace structhash::cli {

void install_interrupt_handlers();
bool interrupted();

/// Threads whose loops stop after Ctrl-C or SIGTERM.
Threads interruptible(int threads);

/// Throws Errc::interrupted after Ctrl-C or SIGTERM: for the end of a stage of a command.
void stop_if_interrupted();

}  // namespace structhash::cli
