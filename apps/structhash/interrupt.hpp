#pragma once

/// Ctrl-C and SIGTERM ask long work to stop at its next safe point; a second one ends the process.
namespace structhash::cli {

void install_interrupt_handlers();
bool interrupted();

/// Between two stages of a command: throws Errc::interrupted if the user asked to stop.
void stop_if_interrupted();

}  // namespace structhash::cli
