// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.inflate;

import java.io.IOException;

/** A compressed file is not what its format says; to read it again does not help. */
public final class DamagedStreamException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * @param name of the file for people
   * @param reason what is wrong with it, as a sentence without its end
   * @param cause null where there is none
   */
  DamagedStreamException(String name, String reason, Throwable cause) {
    super(name + " is damaged: " + reason, cause);
  }
}
