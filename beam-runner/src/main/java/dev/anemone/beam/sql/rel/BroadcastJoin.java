// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.row.CompactRowCoder;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.Row;

/**
 * Joins the first collection with the second one, a side input: by its key, if there is one. So
 * there is one table in a JVM for all tasks, and it lies on disk where it is larger than side
 * inputs may be. In windows it shuffles both by their key, so that rows are at the times that a
 * {@link ShuffleJoin} gives them.
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
    ParDo.SingleOutput<Row, Row> join = spec.hasKey() ? byKey(sides.get(1)) : withAll(sides.get(1));
    return sides.get(0).apply("Join", join).setCoder(CompactRowCoder.of(spec.output()));
  }

  private ParDo.SingleOutput<Row, Row> byKey(PCollection<Row> right) {
    CompactRowCoder coder = CompactRowCoder.of(right.getSchema());
    PCollectionView<Map<byte[], Iterable<Row>>> view =
        right
            .apply("Right", ParDo.of(new JoinKeyFn(spec.right(), false, coder)))
            .setCoder(KvCoder.of(ByteArrayCoder.of(), coder))
            .apply("Broadcast", View.asMultimap());
    return ParDo.of(new KeyedFn(spec, view)).withSideInputs(view);
  }

  private ParDo.SingleOutput<Row, Row> withAll(PCollection<Row> right) {
    PCollectionView<Iterable<Row>> view = right.apply("Broadcast", View.asIterable());
    return ParDo.of(new AllFn(spec, view)).withSideInputs(view);
  }

  /** Joins a row with those that have its key. */
  private static final class KeyedFn extends DoFn<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final JoinSpec spec;
    private final PCollectionView<Map<byte[], Iterable<Row>>> right;

    KeyedFn(JoinSpec spec, PCollectionView<Map<byte[], Iterable<Row>>> right) {
      this.spec = spec;
      this.right = right;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      Row left = context.element();
      Iterable<Row> candidates =
          spec.left().isPresent(left)
              ? context.sideInput(right).get(spec.left().bytes(left))
              : null;
      join(spec, left, candidates == null ? List.of() : candidates, context);
    }
  }

  /** Joins a row with all of the other side. */
  private static final class AllFn extends DoFn<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final JoinSpec spec;
    private final PCollectionView<Iterable<Row>> right;

    AllFn(JoinSpec spec, PCollectionView<Iterable<Row>> right) {
      this.spec = spec;
      this.right = right;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      join(spec, context.element(), context.sideInput(right), context);
    }
  }

  private static void join(
      JoinSpec spec, Row left, Iterable<Row> candidates, DoFn<Row, Row>.ProcessContext output) {
    switch (spec.type()) {
      case SEMI -> {
        if (matchesAny(spec, left, candidates)) {
          output.output(left);
        }
      }
      case ANTI -> {
        if (!matchesAny(spec, left, candidates)) {
          output.output(left);
        }
      }
      default -> joinEach(spec, left, candidates, output);
    }
  }

  private static boolean matchesAny(JoinSpec spec, Row left, Iterable<Row> candidates) {
    for (Row candidate : candidates) {
      if (spec.matches(left, candidate)) {
        return true;
      }
    }
    return false;
  }

  private static void joinEach(
      JoinSpec spec, Row left, Iterable<Row> candidates, DoFn<Row, Row>.ProcessContext output) {
    boolean matched = false;
    for (Row candidate : candidates) {
      if (spec.matches(left, candidate)) {
        matched = true;
        output.output(spec.row(left, candidate));
      }
    }
    if (!matched && spec.keepsLeft()) {
      output.output(spec.row(left, null));
    }
  }
}
