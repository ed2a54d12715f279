// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import java.nio.ByteBuffer;

/** Whether this JVM can read tables of TYPE ndp: asked when a query names one. */
final class EngineCheck {

  /** The engine is an optional dependency: 80 MB that few programs need. */
  private static final String ENGINE = "dev.anemone.ndp.engine.FileFormat";

  private EngineCheck() {}

  /**
   * Checks it.
   *
   * @throws IllegalStateException if it cannot; says what to add
   */
  static void check(String table) {
    if (!isPresent(ENGINE)) {
      throw new IllegalStateException(
          "Table "
              + table
              + " is of TYPE ndp, and the engine of such tables is not on the class path. Add the"
              + " dependency dev.anemone:anemone-beam-sql, in place of anemone-beam-runner and of"
              + " Beam SQL.");
    }
    // Arrow reaches for the address of a buffer.
    if (!ByteBuffer.class.getModule().isOpen("java.nio", EngineCheck.class.getModule())) {
      throw new IllegalStateException(
          "Table "
              + table
              + " is of TYPE ndp, and the engine of such tables needs an option of the JVM. Start"
              + " java with --add-opens=java.base/java.nio=ALL-UNNAMED.");
    }
  }

  private static boolean isPresent(String className) {
    try {
      Class.forName(className, false, EngineCheck.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
