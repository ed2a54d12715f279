// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.IOException;

/** An environment of the pipeline gave no SDK harness. */
public final class HarnessNotStartedException extends IOException {

  private static final long serialVersionUID = 1;

  /** How one learns of an environment that needs more time. */
  static final String OPTION = "--harnessStartSeconds";

  HarnessNotStartedException(String message) {
    super(message);
  }
}
