// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

/** Ways that shuffled records can take. */
enum ShufflePath {
  /** Local files. */
  FILES("local files"),
  /** A pool of remote memory, in another process. */
  POOL("pool"),
  /** Pushed over TCP to a receiver, whose block lies in local files. */
  PUSH("push");

  private final String label;

  ShufflePath(String label) {
    this.label = label;
  }

  /** For tables. */
  String label() {
    return label;
  }
}
