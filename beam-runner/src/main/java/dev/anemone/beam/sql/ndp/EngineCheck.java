// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import java.nio.ByteBuffer;

/** Whether this JVM can run the engine that reads tables of TYPE ndp, and runs what is columnar. */
public final class EngineCheck {

  /** The engine is an optional dependency: 80 MB that few programs need. */
  private static final String ENGINE = "dev.anemone.ndp.format.FileFormat";

  private EngineCheck() {}

  /** Whether it can. */
  public static boolean canRun() {
    return isPresent() && isOpen();
  }

  /**
   * Checks it for a table.
   *
   * @throws IllegalStateException if it cannot; says what to add
   */
  static void check(String table) {
    if (!isPresent()) {
      throw new IllegalStateException(
          "Table "
              + table
              + " is of TYPE ndp, and the engine of such tables is not on the class path. Add the"
              + " dependency dev.anemone:anemone-beam-sql, in place of anemone-beam-runner and of"
              + " Beam SQL.");
    }
    if (!isOpen()) {
      throw new IllegalStateException(
          "Table "
              + table
              + " is of TYPE ndp, and the engine of such tables needs an option of the JVM. Start"
              + " java with --add-opens=java.base/java.nio=ALL-UNNAMED.");
    }
  }

  /** Arrow reaches for the address of a buffer. */
  private static boolean isOpen() {
    return ByteBuffer.class.getModule().isOpen("java.nio", EngineCheck.class.getModule());
  }

  private static boolean isPresent() {
    try {
      Class.forName(ENGINE, false, EngineCheck.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
