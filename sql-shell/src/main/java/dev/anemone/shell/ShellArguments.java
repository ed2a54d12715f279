// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import dev.anemone.cli.WrongUsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What follows {@code anemone sql}.
 *
 * @param text of -e, several joined by line ends
 * @param file of -f
 * @param maxRows of a result in the interactive shell; 0 for all
 * @param settings all other options, which are those of pipelines
 */
record ShellArguments(
    Optional<String> text,
    Optional<Path> file,
    ResultFormat format,
    long maxRows,
    Settings settings) {
  private static final String FORMAT = "--format=";
  private static final String MAX_ROWS = "--maxRows=";
  private static final long DEFAULT_MAX_ROWS = 10_000;

  /**
   * Reads the arguments.
   *
   * @throws WrongUsageException if one is unknown, or lacks its value
   */
  static ShellArguments of(List<String> arguments) {
    List<String> texts = new ArrayList<>();
    Optional<Path> file = Optional.empty();
    ResultFormat format = ResultFormat.TABLE;
    long maxRows = DEFAULT_MAX_ROWS;
    List<String> options = new ArrayList<>();
    for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
      String argument = left.next();
      if (argument.equals("-e")) {
        texts.add(value(argument, "the text of statements", left));
      } else if (argument.equals("-f")) {
        file = Optional.of(Path.of(value(argument, "a file of statements", left)));
      } else if (argument.startsWith(FORMAT)) {
        format = format(argument.substring(FORMAT.length()));
      } else if (argument.startsWith(MAX_ROWS)) {
        maxRows = rows(argument);
      } else if (argument.startsWith("--")) {
        options.add(argument);
      } else {
        throw new WrongUsageException(
            "sql does not know "
                + argument
                + ". It takes -e \"statements\", -f FILE, --format=FORMAT and options of pipelines.");
      }
    }
    if (!texts.isEmpty() && file.isPresent()) {
      throw new WrongUsageException("sql has -e and -f. Give one of them.");
    }
    return new ShellArguments(
        texts.isEmpty() ? Optional.empty() : Optional.of(String.join(";\n", texts)),
        file,
        format,
        maxRows,
        new Settings(options));
  }

  private static String value(String option, String what, Iterator<String> left) {
    if (!left.hasNext()) {
      throw new WrongUsageException(option + " needs " + what + " behind it.");
    }
    return left.next();
  }

  private static ResultFormat format(String name) {
    try {
      return ResultFormat.of(name);
    } catch (IllegalArgumentException unknown) {
      throw new WrongUsageException(FORMAT + name + ": " + unknown.getMessage());
    }
  }

  private static long rows(String argument) {
    String number = argument.substring(MAX_ROWS.length());
    if (!number.matches("[0-9]{1,9}")) {
      throw new WrongUsageException(argument + " is no number of rows; 0 stands for all.");
    }
    return Long.parseLong(number);
  }
}
