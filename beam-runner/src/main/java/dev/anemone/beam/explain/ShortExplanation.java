// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.explain;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.print.TextPrinter;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationStep.Outcome;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.RunTimePass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The plan that a policy has made as a tree, what the engine of columns runs in it, and what the
 * policy decided.
 */
public final class ShortExplanation {

  private static final String STEP = "  ";
  private static final String NOTE = "    ";
  private static final String NOTE_GOES_ON = "      ";

  private ShortExplanation() {}

  /**
   * The explanation, which ends with a line feed.
   *
   * @param columns no line is longer, but for words that are
   */
  public static String of(OptimizationTrace trace, int columns) {
    IRDag plan = trace.result();
    List<String> lines = new ArrayList<>();
    lines.add(
        trace.policy()
            + ": "
            + plan.vertices().size()
            + " vertices, "
            + plan.edges().size()
            + " edges");
    lines.add("");
    lines.addAll(PlanTree.lines(plan, columns));
    List<String> work = EngineWork.lines(plan, columns);
    if (!work.isEmpty()) {
      lines.add("");
      lines.add("What the engine of columns runs:");
      lines.addAll(work);
    }
    List<String> decisions = decisions(trace, columns);
    if (!decisions.isEmpty()) {
      lines.add("");
      lines.add("Decisions:");
      lines.addAll(decisions);
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> decisions(OptimizationTrace trace, int columns) {
    List<String> lines = new ArrayList<>();
    for (OptimizationStep step : trace.steps()) {
      if (!isDecision(step)) {
        continue;
      }
      WrappedText.add(
          STEP, NOTE, withoutPolicy(step.path(), trace) + ": " + what(step), columns, lines);
      step.notes().forEach(note -> WrappedText.add(NOTE, NOTE_GOES_ON, note, columns, lines));
    }
    for (RunTimePass<?> pass : trace.runTimePasses()) {
      String when = "while the job runs, on each " + pass.messageType().getSimpleName();
      WrappedText.add(STEP, NOTE, pass.name() + ": " + when, columns, lines);
    }
    return lines;
  }

  /** Properties are seen in the tree; what else a pass did, or why not, is said. */
  private static boolean isDecision(OptimizationStep step) {
    return step.outcome() == Outcome.SKIPPED
        || !step.notes().isEmpty()
        || !elements(step.before()).equals(elements(step.after()));
  }

  private static Set<String> elements(IRDag dag) {
    Set<String> ids = new HashSet<>();
    dag.vertices().forEach(vertex -> ids.add(vertex.id()));
    dag.edges().forEach(edge -> ids.add(edge.id()));
    return ids;
  }

  private static String withoutPolicy(String path, OptimizationTrace trace) {
    String policy = trace.policy() + "/";
    return path.startsWith(policy) ? path.substring(policy.length()) : path;
  }

  private static String what(OptimizationStep step) {
    return switch (step.outcome()) {
      case CHANGED -> TextPrinter.changes(step.before(), step.after());
      case UNCHANGED -> "nothing changed";
      case SKIPPED -> "skipped, " + step.reason();
    };
  }
}
