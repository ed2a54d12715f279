package dev.anemone.examples.cli;

/** The command itself is wrong, not an option of the program that it runs. */
final class WrongUsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  WrongUsageException(String message) {
    super(message);
  }
}
