// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/** The limits of what the model is told. */
final class Figures {
  private Figures() {}

  static void requireNotNegative(String what, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more.");
    }
  }

  static void requirePositive(String what, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " is " + value + "; it must be above 0.");
    }
  }
}
