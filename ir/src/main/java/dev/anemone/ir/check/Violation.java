// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import java.util.Objects;

/**
 * A place where a graph breaks a rule.
 *
 * @param rule the name of the rule
 * @param subject the id of the vertex or edge
 * @param message a sentence that says whether it is a vertex or an edge, what is wrong with it, and
 *     what would be right
 */
public record Violation(String rule, String subject, String message) {

  public Violation {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(message, "message");
  }
}
