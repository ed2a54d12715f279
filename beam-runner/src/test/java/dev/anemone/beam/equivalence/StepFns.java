// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** The functions of the {@link Step}s. */
final class StepFns {

  static final TupleTag<Long> LEFT = new TupleTag<>("left");
  static final TupleTag<Long> RIGHT = new TupleTag<>("right");

  /** The other side of a row without a partner. */
  static final long NOBODY = -1;

  /** A join keeps one of so many pairs, or cross products of cross products would take hours. */
  static final int PAIRS_PER_RESULT = 32;

  private StepFns() {}

  private static long fold(Iterable<Long> values) {
    List<Long> sorted = new ArrayList<>();
    values.forEach(sorted::add);
    long hash = sorted.size();
    for (long value : sorted.stream().sorted().toList()) {
      hash = Mixing.value(hash, value);
    }
    return hash;
  }

  static final class ChangeValue extends DoFn<KV<Integer, Long>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;
    private final int argument;

    ChangeValue(int argument) {
      this.argument = argument;
    }

    @ProcessElement
    public void change(@Element KV<Integer, Long> element, OutputReceiver<KV<Integer, Long>> out) {
      out.output(KV.of(element.getKey(), Mixing.value(element.getValue(), argument)));
    }
  }

  static final class NewKeys extends DoFn<KV<Integer, Long>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;
    private final int argument;

    NewKeys(int argument) {
      this.argument = argument;
    }

    @ProcessElement
    public void rekey(@Element KV<Integer, Long> element, OutputReceiver<KV<Integer, Long>> out) {
      out.output(KV.of((int) Math.floorMod(element.getValue(), 1L + argument), element.getValue()));
    }
  }

  static final class Rounded extends DoFn<KV<Integer, Double>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void round(@Element KV<Integer, Double> mean, OutputReceiver<KV<Integer, Long>> out) {
      out.output(KV.of(mean.getKey(), Math.round(mean.getValue())));
    }
  }

  static final class Folded extends DoFn<KV<Integer, Iterable<Long>>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void fold(
        @Element KV<Integer, Iterable<Long>> group, OutputReceiver<KV<Integer, Long>> out) {
      out.output(KV.of(group.getKey(), StepFns.fold(group.getValue())));
    }
  }

  static final class FoldedSides extends DoFn<KV<Integer, CoGbkResult>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void fold(
        @Element KV<Integer, CoGbkResult> group, OutputReceiver<KV<Integer, Long>> out) {
      long left = StepFns.fold(group.getValue().getAll(LEFT));
      long right = StepFns.fold(group.getValue().getAll(RIGHT));
      out.output(KV.of(group.getKey(), Mixing.value(left, right)));
    }
  }

  /** Adds the sum of a whole other collection to each value. */
  static final class AddAll extends DoFn<KV<Integer, Long>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;
    private final PCollectionView<Iterable<KV<Integer, Long>>> view;

    AddAll(PCollectionView<Iterable<KV<Integer, Long>>> view) {
      this.view = view;
    }

    @ProcessElement
    public void add(ProcessContext context) {
      long sum = context.element().getValue();
      for (KV<Integer, Long> other : context.sideInput(view)) {
        sum += other.getKey() + other.getValue();
      }
      context.output(KV.of(context.element().getKey(), Math.floorMod(sum, 1_000_000L)));
    }
  }

  /** Rows without a partner, and some of the others. */
  static final class SomePairs extends DoFn<KV<Integer, KV<Long, Long>>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void some(
        @Element KV<Integer, KV<Long, Long>> row, OutputReceiver<KV<Integer, Long>> out) {
      long left = row.getValue().getKey();
      long right = row.getValue().getValue();
      long pair = Mixing.mix(left, right);
      if (left == NOBODY || right == NOBODY || Math.floorMod(pair, PAIRS_PER_RESULT) == 0) {
        out.output(KV.of(row.getKey(), Mixing.value(left, right)));
      }
    }
  }

  /** Gives an element a timestamp by its value. */
  static final class Timestamps extends DoFn<KV<Integer, Long>, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void stamp(@Element KV<Integer, Long> element, OutputReceiver<KV<Integer, Long>> out) {
      out.outputWithTimestamp(element, Instant.ofEpochMilli(element.getValue() % 100));
    }

    @Override
    @SuppressWarnings("deprecation") // the only way to go back from the end of a window
    public Duration getAllowedTimestampSkew() {
      return Duration.millis(Long.MAX_VALUE);
    }
  }
}
