// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation.join;

import dev.anemone.beam.spec.GroupingSpec;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.transforms.CoGroup;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * What a join promises: its result is the cross product, key by key, of its sides, and which of
 * them every row of it needs an element of. The joins that are known here cannot be derived from.
 *
 * @param needs whether every row needs an element of a side
 * @param timestampsSeen whether anybody can look at the timestamps of rows
 */
record JoinContract(Predicate<JoinShape.Side> needs, boolean timestampsSeen) {

  // By name: the join library and Beam SQL are extensions that a program may do without.
  private static final String LIBRARY = "org.apache.beam.sdk.extensions.joinlibrary.Join$";
  private static final Map<String, Set<Integer>> NEEDED_IN_LIBRARY =
      Map.of(
          LIBRARY + "InnerJoin", Set.of(0, 1),
          LIBRARY + "LeftOuterJoin", Set.of(0),
          LIBRARY + "RightOuterJoin", Set.of(1));

  private static final String SQL_JOIN =
      "org.apache.beam.sdk.extensions.sql.impl.rel.BeamCoGBKJoinRel$StandardJoin";

  JoinContract {
    Objects.requireNonNull(needs, "needs");
  }

  /** The contract of a composite, if that is a join. */
  static Optional<JoinContract> of(Node composite) {
    PTransform<?, ?> transform = composite.getTransform();
    if (transform instanceof CoGroup.ExpandCrossProduct) {
      PCollection<?> rows = (PCollection<?>) composite.getOutputs().values().iterator().next();
      return Optional.of(ofSchemas(rows.getSchema(), !isInSql(composite)));
    }
    if (transform instanceof KeyedJoin join) {
      return Optional.of(new JoinContract(side -> join.neededSides().contains(side.index()), true));
    }
    return Optional.ofNullable(transform)
        .map(t -> NEEDED_IN_LIBRARY.get(t.getClass().getName()))
        .map(needed -> new JoinContract(side -> needed.contains(side.index()), true));
  }

  /**
   * {@code Join} and {@code CoGroup} of Beam's schemas, which Beam SQL uses, too. A row has a field
   * for each side; where that cannot be null, there must be an element. The tag of a side is the
   * name of its field, an underscore, and what makes it unique.
   */
  private static JoinContract ofSchemas(Schema rows, boolean timestampsSeen) {
    return new JoinContract(
        side ->
            rows.getFields().stream()
                .filter(field -> side.tag().startsWith(field.getName() + "_"))
                .max(Comparator.comparingInt(field -> field.getName().length()))
                .filter(field -> !field.getType().getNullable())
                .isPresent(),
        timestampsSeen);
  }

  private static boolean isInSql(Node composite) {
    for (Node node = composite; !node.isRootNode(); node = node.getEnclosingNode()) {
      if (node.getTransform().getClass().getName().equals(SQL_JOIN)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether timestamp and window of a row do not depend on which elements of a key came together,
   * as far as anybody can see.
   */
  boolean allows(WindowingStrategy<?, ?> windowing) {
    return GroupingSpec.of(windowing).mode() != GroupingSpec.Mode.MERGING
        && (!timestampsSeen || windowing.getTimestampCombiner().dependsOnlyOnWindow());
  }
}
