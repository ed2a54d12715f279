package dev.anemone.examples.cli;

import java.util.List;

/**
 * A command whose arguments are the options of a Beam program, known to that program only. picocli
 * knows such a command for the help; its arguments do not pass through picocli.
 */
abstract class PassThroughCommand {

  /**
   * Runs the command.
   *
   * @param arguments what follows the command's name
   * @throws WrongUsageException if the arguments lack something of the command's own
   * @throws Throwable whatever the program throws
   */
  abstract void call(List<String> arguments) throws Throwable;
}
