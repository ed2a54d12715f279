// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation.join;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;

/**
 * The inside of a join that groups its sides together:
 *
 * <pre>
 * side 0 - ParDo --+
 *                  +-- Flatten -- GroupByKey -- ParDo -- ... -- ParDo -- the join's result
 * side 1 - ParDo --+
 * </pre>
 *
 * where nobody else reads what lies between the Flatten and the result.
 *
 * @param grouped what the GroupByKey reads
 * @param sides in the order in which the join names them
 */
record JoinShape(PCollection<?> grouped, List<Side> sides) {

  /**
   * A side.
   *
   * @param index in the order of the sides, from 0
   * @param tag id of its tag
   * @param tagged its elements with the number of the side, as they are flattened
   */
  record Side(int index, String tag, PCollection<?> tagged) {}

  JoinShape {
    sides = List.copyOf(sides);
  }

  /**
   * The inside of a join, empty if it looks different.
   *
   * @param join a composite
   * @param coGroup its CoGroupByKey
   * @param groupByKey the GroupByKey in there
   */
  static Optional<JoinShape> of(Node join, Node coGroup, Node groupByKey, Consumers consumers) {
    PCollection<?> grouped = only(groupByKey.getInputs());
    return consumers.of(grouped).size() == 1
            && isFollowedByParDosOnly(
                only(groupByKey.getOutputs()), only(join.getOutputs()), consumers)
        ? sides(coGroup, grouped, consumers).map(sides -> new JoinShape(grouped, sides))
        : Optional.empty();
  }

  private static boolean isFollowedByParDosOnly(
      PCollection<?> from, PCollection<?> to, Consumers consumers) {
    PCollection<?> current = from;
    while (!current.equals(to)) {
      List<Node> readers = consumers.of(current);
      if (readers.size() != 1
          || !isParDoOf(current, readers.get(0))
          || readers.get(0).getOutputs().size() != 1) {
        return false;
      }
      current = only(readers.get(0).getOutputs());
    }
    return true;
  }

  /** A CoGroupByKey names its inputs in the order in which it flattens them. */
  private static Optional<List<Side>> sides(
      Node coGroup, PCollection<?> grouped, Consumers consumers) {
    Optional<Node> flatten =
        consumers
            .producerOf(grouped)
            .filter(node -> node.getTransform() instanceof Flatten.PCollections);
    if (flatten.isEmpty()) {
      return Optional.empty();
    }
    List<Map.Entry<TupleTag<?>, PCollection<?>>> inputs =
        List.copyOf(coGroup.getInputs().entrySet());
    List<PCollection<?>> flattened = List.copyOf(flatten.get().getInputs().values());
    List<Side> sides = new ArrayList<>();
    for (int i = 0; i < inputs.size() && i < flattened.size(); i++) {
      PCollection<?> tagged = flattened.get(i);
      PCollection<?> untagged = inputs.get(i).getValue();
      if (consumers.producerOf(tagged).filter(node -> isParDoOf(untagged, node)).isPresent()) {
        sides.add(new Side(i, inputs.get(i).getKey().getId(), tagged));
      }
    }
    return sides.size() == inputs.size() && sides.size() == flattened.size()
        ? Optional.of(sides)
        : Optional.empty();
  }

  private static boolean isParDoOf(PCollection<?> main, Node node) {
    return node.getTransform() instanceof ParDo.MultiOutput<?, ?> parDo
        && node.getInputs().entrySet().stream()
            .anyMatch(
                input ->
                    input.getValue().equals(main)
                        && !parDo.getAdditionalInputs().containsKey(input.getKey()));
  }

  private static PCollection<?> only(Map<TupleTag<?>, PCollection<?>> values) {
    return values.values().iterator().next();
  }
}
