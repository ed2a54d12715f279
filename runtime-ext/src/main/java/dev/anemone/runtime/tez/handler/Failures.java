// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;

/** What has failed while the same was tried in several places. */
final class Failures {

  private IOException first;

  /** The first failure, which the others are suppressed in. */
  IOException first() {
    return first;
  }

  void add(IOException failure) {
    if (first == null) {
      first = failure;
    } else {
      first.addSuppressed(failure);
    }
  }

  void throwIfAny() throws IOException {
    if (first != null) {
      throw first;
    }
  }
}
