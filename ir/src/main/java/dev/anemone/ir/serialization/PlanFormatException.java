// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

/** Bytes are not what {@link PlanSerializer} wrote. */
public final class PlanFormatException extends RuntimeException {

  PlanFormatException(String message) {
    super(message);
  }

  PlanFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
