// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import java.util.List;

/** A graph breaks rules. The message names the pass, each vertex or edge, and each broken rule. */
public final class IRCheckException extends RuntimeException {

  private final String afterWhat;
  private final transient List<Violation> violations;

  /**
   * An exception for one or more violations.
   *
   * @param afterWhat the pass that made the graph
   * @param violations what is wrong with it
   */
  public IRCheckException(String afterWhat, List<Violation> violations) {
    super(message(afterWhat, violations));
    this.afterWhat = afterWhat;
    this.violations = List.copyOf(violations);
  }

  private static String message(String afterWhat, List<Violation> violations) {
    StringBuilder text =
        new StringBuilder("the graph cannot be run as it is after pass ")
            .append(afterWhat)
            .append(':');
    for (Violation violation : violations) {
      text.append("\n  rule ").append(violation.rule()).append(": ").append(violation.message());
    }
    return text.toString();
  }

  /** The pass after which the graph was checked. */
  public String afterWhat() {
    return afterWhat;
  }

  /** All violations; empty in a copy that was sent to another JVM, whose message still has them. */
  public List<Violation> violations() {
    return violations == null ? List.of() : violations;
  }
}
