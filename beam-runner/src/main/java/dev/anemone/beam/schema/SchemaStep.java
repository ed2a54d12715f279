// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.values.PCollection;

/** A schema transform of a pipeline that the relational IR can say. */
sealed interface SchemaStep permits SchemaStep.Fields, SchemaStep.Grouping, SchemaStep.Matches {

  /** Where it is in the pipeline. */
  Node node();

  /** What it reads; the same collection twice where it reads it twice. */
  List<PCollection<?>> inputs();

  /** The name of the step for people. */
  default String name() {
    return node().getFullName();
  }

  /**
   * Fields of rows, under other names or in other places.
   *
   * @param sources of each field and row of the result, where it is in the input
   */
  record Fields(Node node, PCollection<?> input, Map<FieldPath, FieldPath> sources)
      implements SchemaStep {
    public Fields {
      sources = Map.copyOf(sources);
    }

    @Override
    public List<PCollection<?>> inputs() {
      return List.of(input);
    }
  }

  /**
   * Rows with two rows: the keys of a group, and an aggregate of it in each field.
   *
   * @param keys fields of the input
   */
  record Grouping(Node node, PCollection<?> input, List<FieldPath> keys, List<Call> calls)
      implements SchemaStep {
    public Grouping {
      keys = List.copyOf(keys);
      calls = List.copyOf(calls);
    }

    @Override
    public List<PCollection<?>> inputs() {
      return List.of(input);
    }
  }

  /**
   * An aggregate of a group.
   *
   * @param argument a field of the input; none where rows are counted
   */
  record Call(KnownAggregate function, Optional<FieldPath> argument) {}

  /** Rows with a row of each side: all combinations of rows whose keys are equal, NULL too. */
  record Matches(Node node, List<Side> sides) implements SchemaStep {
    public Matches {
      sides = List.copyOf(sides);
    }

    @Override
    public List<PCollection<?>> inputs() {
      return sides.stream().<PCollection<?>>map(Side::rows).toList();
    }
  }

  /**
   * A side of matches.
   *
   * @param optional whether the others are there without a row of this one
   * @param small whether the program wants it to be broadcast
   */
  record Side(PCollection<?> rows, List<FieldPath> keys, boolean optional, boolean small) {
    public Side {
      keys = List.copyOf(keys);
    }
  }
}
