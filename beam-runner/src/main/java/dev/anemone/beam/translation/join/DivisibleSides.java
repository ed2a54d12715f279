// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation.join;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.values.PCollection;

/**
 * The sides of joins that may be divided: tasks that get each some elements of a key from such a
 * side, and all elements of the key from the others, make the join's result together.
 *
 * <p>That is so for a side that every row of the result needs an element of, {@link JoinContract}:
 * the join of some elements of the side consists of the rows that have one of these, which is no
 * more than what the join promises for any input. It says something about the parts of a group
 * because everything between the group and the join's result handles groups one by one, and nobody
 * else sees them; {@link JoinShape} checks that. A {@code CoGroupByKey} that a program reads itself
 * promises nothing of the kind.
 *
 * <p>The timestamp and the window of a row must not depend on which elements came together either:
 * windows must not merge, and the timestamp must follow from the window. Beam SQL asks for the
 * earliest of the timestamps all the same, but only so that later steps may put them back, and no
 * query can see them. So there the rows of one key that different tasks make may have different
 * timestamps, if the elements had.
 */
public final class DivisibleSides {

  private final Map<PCollection<?>, Set<PCollection<?>>> byGrouped;

  private DivisibleSides(Map<PCollection<?>, Set<PCollection<?>>> byGrouped) {
    this.byGrouped = byGrouped;
  }

  /** Finds them in a pipeline. */
  public static DivisibleSides of(Pipeline pipeline) {
    Consumers consumers = Consumers.of(pipeline);
    Map<PCollection<?>, Set<PCollection<?>>> found = new HashMap<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitPrimitiveTransform(Node node) {
            Node coGroup = node.getEnclosingNode();
            if (node.getTransform() instanceof GroupByKey
                && coGroup.getTransform() instanceof CoGroupByKey) {
              Node join = coGroup.getEnclosingNode();
              JoinContract.of(join)
                  .ifPresent(
                      contract ->
                          JoinShape.of(join, coGroup, node, consumers)
                              .ifPresent(s -> found.put(s.grouped(), divisible(contract, s))));
            }
          }
        });
    return new DivisibleSides(found);
  }

  private static Set<PCollection<?>> divisible(JoinContract contract, JoinShape shape) {
    return contract.allows(shape.grouped().getWindowingStrategy())
        ? shape.sides().stream()
            .filter(contract.needs())
            .map(JoinShape.Side::tagged)
            .collect(Collectors.toUnmodifiableSet())
        : Set.of();
  }

  /** Those among the collections that are flattened into one that is grouped by key. */
  public Set<PCollection<?>> of(PCollection<?> grouped) {
    return byGrouped.getOrDefault(grouped, Set.of());
  }
}
