// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

/**
 * A plan that means something could not be run to its end: the data is not what the table says, a
 * number does not fit, or a limit was reached. The message says which.
 */
public final class NdpEngineException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final boolean outOfMemory;

  public NdpEngineException(String message) {
    this(message, null);
  }

  public NdpEngineException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private NdpEngineException(String message, Throwable cause, boolean outOfMemory) {
    super(message, cause);
    this.outOfMemory = outOfMemory;
  }

  /** Of a plan that needs more memory than the engine has. */
  static NdpEngineException outOfMemory(String message, Throwable cause) {
    return new NdpEngineException(message, cause, true);
  }

  /**
   * Whether the plan needed more memory than the engine has. Each thread needs some that cannot go
   * to disk, so that fewer threads may get to the end.
   */
  public boolean isOutOfMemory() {
    return outOfMemory;
  }
}
