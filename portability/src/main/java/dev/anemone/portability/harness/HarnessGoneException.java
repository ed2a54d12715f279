// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.IOException;

/** An SDK harness went away while it was needed: a task that is tried again gets another one. */
public final class HarnessGoneException extends IOException {

  private static final long serialVersionUID = 1;

  HarnessGoneException(String message) {
    super(message);
  }
}
