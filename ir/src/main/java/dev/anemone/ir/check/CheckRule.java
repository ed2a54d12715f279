// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import java.util.List;

/**
 * Something that must hold in every graph, annotated in part or in full: a rule speaks only of
 * properties that are present. Stateless and thread-safe.
 */
public interface CheckRule {

  /** A short name in kebab case, for messages. */
  String name();

  /** Where the graph breaks this rule; empty when it does not. */
  List<Violation> check(IRDag dag);
}
