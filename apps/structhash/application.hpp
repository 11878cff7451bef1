#pragma once

namespace structhash::cli {

/// Reads the arguments, runs the command they name, prints errors; returns the exit status.
int run(int argc, char** argv);

}  // namespace structhash::cli
