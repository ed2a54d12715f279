// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.row.CompactRowCoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.Row;

/**
 * Joins the first collection with the second one, a side input. In windows it shuffles both by
 * their key, so that rows are at the times that a {@link ShuffleJoin} gives them.
 */
final class BroadcastJoin extends PTransform<PCollectionList<Row>, PCollection<Row>> {

  private static final long serialVersionUID = 1L;

  private final JoinSpec spec;

  BroadcastJoin(JoinSpec spec) {
    this.spec = spec;
  }

  @Override
  public PCollection<Row> expand(PCollectionList<Row> inputs) {
    PCollectionList<Row> sides = CommonWindows.of(inputs);
    boolean global = sides.get(0).getWindowingStrategy().getWindowFn() instanceof GlobalWindows;
    if (!global && spec.hasKey()) {
      // A side input has no times.
      return sides.apply("In windows", new ShuffleJoin(spec));
    }
    PCollectionView<Iterable<Row>> right = sides.get(1).apply("Broadcast", View.asIterable());
    return sides
        .get(0)
        .apply("Join", ParDo.of(new JoinFn(spec, right)).withSideInputs(right))
        .setCoder(CompactRowCoder.of(spec.output()));
  }

  private static final class JoinFn extends DoFn<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final JoinSpec spec;
    private final PCollectionView<Iterable<Row>> right;

    private transient Map<Object, List<Row>> table;
    private transient BoundedWindow tableWindow;

    JoinFn(JoinSpec spec, PCollectionView<Iterable<Row>> right) {
      this.spec = spec;
      this.right = right;
    }

    @ProcessElement
    public void process(ProcessContext context, BoundedWindow window) {
      if (table == null || !window.equals(tableWindow)) {
        table = table(context.sideInput(right));
        tableWindow = window;
      }
      Row left = context.element();
      List<Row> candidates =
          spec.left().isPresent(left)
              ? table.getOrDefault(spec.left().value(left), List.of())
              : List.of();
      switch (spec.type()) {
        case SEMI -> {
          if (matchesAny(left, candidates)) {
            context.output(left);
          }
        }
        case ANTI -> {
          if (!matchesAny(left, candidates)) {
            context.output(left);
          }
        }
        default -> join(left, candidates, context);
      }
    }

    private boolean matchesAny(Row left, List<Row> candidates) {
      for (int i = 0; i < candidates.size(); i++) {
        if (spec.matches(left, candidates.get(i))) {
          return true;
        }
      }
      return false;
    }

    private void join(Row left, List<Row> candidates, ProcessContext context) {
      boolean matched = false;
      for (int i = 0; i < candidates.size(); i++) {
        Row candidate = candidates.get(i);
        if (spec.matches(left, candidate)) {
          matched = true;
          context.output(spec.row(left, candidate));
        }
      }
      if (!matched && spec.keepsLeft()) {
        context.output(spec.row(left, null));
      }
    }

    private Map<Object, List<Row>> table(Iterable<Row> rows) {
      Map<Object, List<Row>> byKey = new HashMap<>();
      for (Row row : rows) {
        if (spec.right().isPresent(row)) {
          byKey.computeIfAbsent(spec.right().value(row), key -> new ArrayList<>(1)).add(row);
        }
      }
      return byKey;
    }
  }
}
