// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.util.List;

/**
 * A command whose arguments are the options of a Beam program, known to that program only. picocli
 * knows such a command for the help; its arguments do not pass through picocli.
 */
public interface PassThroughCommand {

  /** The name, the same as in picocli's annotation, which takes long to read. */
  String name();

  /**
   * Runs the command.
   *
   * @param arguments what follows the command's name
   * @throws WrongUsageException if the arguments lack something of the command's own
   * @throws Throwable whatever the program throws
   */
  void call(List<String> arguments) throws Throwable;
}
