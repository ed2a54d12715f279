// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.sql.columnar.ColumnarPlace;
import dev.anemone.ir.relational.InvalidPlanException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * Puts a {@link SchemaPart} in the place of each largest part of a pipeline that is made of schema
 * transforms and that is worth it: that has an aggregate of what was joined, as with queries of
 * collections alone. A step whose result others read, too, is the end of a part or outside of it.
 *
 * <p>Steps on other windows than the global one, and those that the relational IR cannot say, stay
 * as they are. Not thread-safe: for one pipeline.
 */
public final class SchemaParts {

  private final Map<PCollection<?>, SchemaStep> steps = new LinkedHashMap<>();
  private final Map<PCollection<?>, String> unsaid = new HashMap<>();
  private final Map<PCollection<?>, Integer> readers = new HashMap<>();
  private final Set<String> reasons = new LinkedHashSet<>();

  private SchemaParts() {}

  /**
   * Replaces the parts of a pipeline; doing it again changes nothing.
   *
   * @return why other parts, which would be worth it, are run in rows: a sentence each
   */
  public static List<String> replaceIn(Pipeline pipeline) {
    if (ColumnarPlace.of(pipeline.getOptions()) == ColumnarPlace.NOWHERE) {
      return List.of();
    }
    SchemaParts parts = new SchemaParts();
    parts.find(pipeline);
    Replacements replacements = new Replacements();
    Set<PCollection<?>> inner = parts.readByOneStep();
    List<PCollection<?>> ends = new ArrayList<>(parts.steps.keySet());
    ends.removeAll(inner);
    for (PCollection<?> end : ends) {
      parts.replace(end, inner, replacements);
    }
    replacements.apply(pipeline);
    return List.copyOf(parts.reasons);
  }

  private void find(Pipeline pipeline) {
    List<Node> nodes = new ArrayList<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(Node node) {
            if (node.isRootNode() || !SchemaStepReader.isStep(node.getTransform())) {
              return CompositeBehavior.ENTER_TRANSFORM;
            }
            countReads(node);
            nodes.add(node);
            return CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
          }

          @Override
          public void visitPrimitiveTransform(Node node) {
            countReads(node);
          }
        });
    // What no part is made of is not looked into.
    if (nodes.stream().anyMatch(SchemaStepReader::isGrouping)
        && nodes.stream().anyMatch(SchemaStepReader::isMatches)) {
      nodes.forEach(this::add);
    }
  }

  private void add(Node node) {
    if (!node.getInputs().values().stream().allMatch(SchemaParts::isPlain)) {
      return;
    }
    PCollection<?> made = node.getOutputs().values().iterator().next();
    try {
      steps.put(made, SchemaStepReader.read(node));
    } catch (UnsaidStepException reason) {
      unsaid.put(made, reason.getMessage());
    }
  }

  private void countReads(Node node) {
    node.getInputs().values().forEach(input -> readers.merge(input, 1, Integer::sum));
  }

  private static boolean isPlain(PCollection<?> rows) {
    WindowingStrategy<?, ?> windows = rows.getWindowingStrategy();
    return rows.hasSchema()
        && rows.isBounded() == PCollection.IsBounded.BOUNDED
        && windows.getWindowFn() instanceof GlobalWindows
        && windows.getTrigger() instanceof DefaultTrigger;
  }

  /** What a step makes for one other step, and for nobody else. */
  private Set<PCollection<?>> readByOneStep() {
    Set<PCollection<?>> inner = new HashSet<>();
    for (SchemaStep step : steps.values()) {
      for (PCollection<?> input : step.inputs()) {
        if (steps.containsKey(input) && readers.get(input) == 1) {
          inner.add(input);
        }
      }
    }
    return inner;
  }

  private void replace(PCollection<?> end, Set<PCollection<?>> inner, Replacements replacements) {
    Map<PCollection<?>, SchemaStep> part = new LinkedHashMap<>();
    collect(end, inner, part);
    if (!isWorth(end, part)) {
      tellUnsaid(end, part);
      return;
    }
    try {
      SchemaPart columns = SchemaPart.of(end, part);
      replacements.replace(part.remove(end).node(), columns);
      part.values().forEach(step -> replacements.leaveOut(step.node()));
    } catch (UnsaidStepException | InvalidPlanException reason) {
      tell(part.get(end), reason.getMessage());
      for (PCollection<?> input : part.get(end).inputs()) {
        if (part.containsKey(input)) {
          replace(input, inner, replacements);
        }
      }
    }
  }

  private void collect(
      PCollection<?> made, Set<PCollection<?>> inner, Map<PCollection<?>, SchemaStep> part) {
    part.put(made, steps.get(made));
    for (PCollection<?> input : steps.get(made).inputs()) {
      if (inner.contains(input)) {
        collect(input, inner, part);
      }
    }
  }

  private static boolean isWorth(PCollection<?> made, Map<PCollection<?>, SchemaStep> part) {
    SchemaStep step = part.get(made);
    return step != null
        && ((step instanceof SchemaStep.Grouping && hasJoin(made, part))
            || step.inputs().stream().anyMatch(input -> isWorth(input, part)));
  }

  private static boolean hasJoin(PCollection<?> made, Map<PCollection<?>, SchemaStep> part) {
    SchemaStep step = part.get(made);
    return step != null
        && (step instanceof SchemaStep.Matches
            || step.inputs().stream().anyMatch(input -> hasJoin(input, part)));
  }

  /** Names a step that is no part's, since an aggregate of what it joins would be worth it. */
  private void tellUnsaid(PCollection<?> end, Map<PCollection<?>, SchemaStep> part) {
    for (SchemaStep step : part.values()) {
      for (PCollection<?> input : step.inputs()) {
        if (unsaid.containsKey(input)) {
          tell(part.get(end), unsaid.get(input));
        }
      }
    }
  }

  private void tell(SchemaStep step, String reason) {
    reasons.add("a part of '" + step.name() + "' runs in rows, because of " + reason);
  }
}
