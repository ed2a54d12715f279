// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import java.util.List;

/** Applies rules to graphs. Immutable and thread-safe. */
public final class IRDagChecker {

  private static final IRDagChecker STANDARD =
      new IRDagChecker(
          List.of(
              new IdentifierRule(),
              new InputRule(),
              new OneToOneParallelismRule(),
              new SourceSplitRule(),
              new KeyFilterRule(),
              new AntiAffinityRule(),
              new ShufflePropertyRule(),
              new PartitionSetRule(),
              new SharedRangesRule(),
              new SharedOutputRule(),
              new CoderRule(),
              new CompressionRule(),
              new DataFlowRule(),
              new ScheduleGroupRule(),
              new ControlDependencyRule(),
              new MessageRule(),
              new SampledTaskRule(),
              new SampledInputRule(),
              new CombinerRule(),
              new RecombinerRule()));

  private final List<CheckRule> rules;

  public IRDagChecker(List<CheckRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /** A checker with all rules of this package. */
  public static IRDagChecker standard() {
    return STANDARD;
  }

  public List<CheckRule> rules() {
    return rules;
  }

  /** All violations, in the order of the rules. */
  public List<Violation> violations(IRDag dag) {
    return rules.stream().flatMap(rule -> rule.check(dag).stream()).toList();
  }

  /**
   * Fails when a graph breaks a rule.
   *
   * @param passName the pass that made the graph, for the message
   * @throws IRCheckException with all violations
   */
  public void check(String passName, IRDag dag) {
    List<Violation> violations = violations(dag);
    if (!violations.isEmpty()) {
      throw new IRCheckException(passName, violations);
    }
  }
}
