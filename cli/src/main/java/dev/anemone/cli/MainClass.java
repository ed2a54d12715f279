// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** A program to run in this JVM, by the name of its class. */
record MainClass(Method main) {

  /**
   * Finds a main class on the class path.
   *
   * @throws IllegalArgumentException if there is no such class, or it has no public static void
   *     main(String[])
   */
  static MainClass named(String name) {
    Class<?> program;
    try {
      program = Class.forName(name, true, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException notFound) {
      throw new IllegalArgumentException(
          "There is no class "
              + name
              + " on the class path. Give the full name of the main class, package included, and"
              + " where it is: --classpath=program.jar, or a directory of classes.",
          notFound);
    }
    try {
      Method main = program.getMethod("main", String[].class);
      if (Modifier.isStatic(main.getModifiers())) {
        main.setAccessible(true);
        return new MainClass(main);
      }
    } catch (NoSuchMethodException noMain) {
      throw notRunnable(name, noMain);
    }
    throw notRunnable(name, null);
  }

  private static IllegalArgumentException notRunnable(String name, Throwable cause) {
    return new IllegalArgumentException(
        "Class "
            + name
            + " has no method public static void main(String[]). Give the class that starts the"
            + " pipeline.",
        cause);
  }

  /**
   * Runs the program.
   *
   * @throws Throwable what the program throws
   */
  void run(String[] arguments) throws Throwable {
    try {
      main.invoke(null, (Object) arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
