// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

/** A job failed without an exception of user code; the message has the engine's diagnostics. */
public class JobFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public JobFailedException(String message) {
    super(message);
  }
}
