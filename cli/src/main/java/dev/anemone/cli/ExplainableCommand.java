// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.Pipeline;

/** A command that runs one pipeline, which {@code anemone explain} can show instead. */
public interface ExplainableCommand extends PassThroughCommand {

  /**
   * Builds the pipeline and does not run it.
   *
   * @param arguments what follows the command's name; where they lack an output, any will do, for
   *     nothing is written
   * @throws IllegalArgumentException if an argument is missing, unknown or out of range
   * @throws IOException if the input cannot be looked at
   */
  Pipeline pipeline(List<String> arguments) throws IOException;
}
