// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

/**
 * A plan that means something could not be run to its end: the data is not what the table says, a
 * number does not fit, or a limit was reached. The message says which.
 */
public final class NdpEngineException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public NdpEngineException(String message) {
    super(message);
  }

  public NdpEngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
