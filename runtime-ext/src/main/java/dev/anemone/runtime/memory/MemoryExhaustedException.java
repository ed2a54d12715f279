// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

/** Memory that a task cannot do without was not to be had; the message says what it was for. */
public class MemoryExhaustedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public MemoryExhaustedException(String message) {
    super(message);
  }
}
