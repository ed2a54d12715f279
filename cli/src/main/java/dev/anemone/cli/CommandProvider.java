// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Adds commands to {@code anemone}. Those on the class path are found by {@link
 * java.util.ServiceLoader}, at every start: making one, and its commands, has to be cheap.
 *
 * <p>Names must differ from those of all other commands.
 */
public interface CommandProvider {

  /** Commands that run a Beam program, with picocli's annotation {@code Command} for their help. */
  List<PassThroughCommand> programs();

  /**
   * All other commands: objects for picocli, whose call gives the exit code of the process. An
   * exception is reported to the user in one paragraph.
   */
  List<Callable<Integer>> tools();

  /**
   * Commands, each with its arguments, which together load most of the classes that users' commands
   * will need; the launcher runs them once, one after the other, to prepare a fast start. They
   * should take no more than some seconds.
   *
   * @param directory for what they read and write; empty now, and deleted afterwards
   * @throws IOException if what they read cannot be written
   */
  List<List<String>> training(Path directory) throws IOException;
}
