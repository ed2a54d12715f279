// SPDX-License-Identifier: Apache-2.0
package dev.anemone.buildreport;

import java.util.List;

/**
 * A test class, as its report has it.
 *
 * @param name of the class
 * @param tests how many there are, with those that were skipped
 * @param seconds that they took, with what is done before and after all of them
 * @param skipped those that were skipped
 */
record TestClass(String name, int tests, double seconds, List<Skipped> skipped) {

  TestClass {
    skipped = List.copyOf(skipped);
  }

  /**
   * A test that was skipped.
   *
   * @param test its name; empty when it stands for all of the class
   * @param reason why; one line
   */
  record Skipped(String test, String reason) {}

  /** The name without its package. */
  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
