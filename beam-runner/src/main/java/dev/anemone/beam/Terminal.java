// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import java.io.Console;

/** Whether somebody is looking. */
final class Terminal {

  private Terminal() {}

  /** Whether the program's input and output are a terminal. */
  @SuppressWarnings("SystemConsoleNull") // this is how to ask up to Java 21; after that, as below
  static boolean isInteractive() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      // Up to Java 21 there is a console only where there is a terminal.
      return true;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("java.io.Console does not say whether it is a terminal", e);
    }
  }
}
