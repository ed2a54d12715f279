// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.beam.translation.join.KeyedJoin;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;

/**
 * Joins two collections by grouping both by their keys. Of a key that has many rows on both sides,
 * a block of the right ones is in memory at a time (a block nested-loop join), and the left ones
 * are read again for each block.
 */
final class ShuffleJoin extends PTransform<PCollectionList<Row>, PCollection<Row>>
    implements KeyedJoin {

  private static final long serialVersionUID = 1L;

  private static final TupleTag<Row> LEFT = new TupleTag<>("left");
  private static final TupleTag<Row> RIGHT = new TupleTag<>("right");

  private final JoinSpec spec;

  ShuffleJoin(JoinSpec spec) {
    this.spec = spec;
  }

  @Override
  public PCollection<Row> expand(PCollectionList<Row> inputs) {
    PCollectionList<Row> sides = CommonWindows.of(inputs);
    return KeyedPCollectionTuple.of(
            LEFT, keyed(sides.get(0), "Left", spec.left(), spec.keepsLeft()))
        .and(RIGHT, keyed(sides.get(1), "Right", spec.right(), spec.keepsRight()))
        .apply("Group", CoGroupByKey.create())
        .apply("Join", ParDo.of(new JoinFn(spec)))
        .setCoder(CompactRowCoder.of(spec.output()));
  }

  @Override
  public Set<Integer> neededSides() {
    return switch (spec.type()) {
      case INNER -> Set.of(0, 1);
      case RIGHT -> Set.of(1);
      case FULL -> Set.of();
      default -> Set.of(0);
    };
  }

  private static PCollection<KV<byte[], Row>> keyed(
      PCollection<Row> rows, String name, JoinKeys keys, boolean keep) {
    CompactRowCoder coder = CompactRowCoder.of(rows.getSchema());
    return timed(rows, name)
        .apply(name, ParDo.of(new JoinKeyFn(keys, keep, coder)))
        .setCoder(KvCoder.of(ByteArrayCoder.of(), coder));
  }

  /**
   * Rows of a window are at the time of their key's earliest, as Beam's operator has it. In the
   * global window nobody looks at times, and none travel.
   */
  private static PCollection<Row> timed(PCollection<Row> rows, String name) {
    return rows.getWindowingStrategy().getWindowFn() instanceof GlobalWindows
        ? rows
        : rows.apply(
            name + " times",
            Window.<Row>configure().withTimestampCombiner(TimestampCombiner.EARLIEST));
  }

  private static final class JoinFn extends DoFn<KV<byte[], CoGbkResult>, Row> {
    private static final long serialVersionUID = 1L;

    private static final int BLOCK = 10_000;

    private final JoinSpec spec;

    private transient List<Row> block;

    JoinFn(JoinSpec spec) {
      this.spec = spec;
    }

    @ProcessElement
    public void process(@Element KV<byte[], CoGbkResult> group, OutputReceiver<Row> output) {
      Iterable<Row> left = group.getValue().getAll(LEFT);
      Iterable<Row> right = group.getValue().getAll(RIGHT);
      BitSet matchedLeft = new BitSet();
      if (JoinKeys.isUnmatched(group.getKey())) {
        keepRight(right, new BitSet(), output);
      } else {
        BitSet matchedRight = new BitSet();
        join(left, right.iterator(), matchedLeft, matchedRight, output);
        keepRight(right, matchedRight, output);
      }
      keepLeft(left, matchedLeft, output);
    }

    private void join(
        Iterable<Row> left,
        Iterator<Row> right,
        BitSet matchedLeft,
        BitSet matchedRight,
        OutputReceiver<Row> output) {
      boolean yieldsPairs = spec.type().projectsRight();
      int blockStart = 0;
      while (right.hasNext()) {
        fillBlock(right);
        int leftIndex = 0;
        for (Row leftRow : left) {
          for (int i = 0; i < block.size(); i++) {
            if (spec.matches(leftRow, block.get(i))) {
              matchedLeft.set(leftIndex);
              if (!yieldsPairs) {
                break;
              }
              matchedRight.set(blockStart + i);
              output.output(spec.row(leftRow, block.get(i)));
            }
          }
          leftIndex++;
        }
        blockStart += block.size();
        block.clear();
      }
    }

    private void fillBlock(Iterator<Row> rows) {
      if (block == null) {
        block = new ArrayList<>();
      }
      while (rows.hasNext() && block.size() < BLOCK) {
        block.add(rows.next());
      }
    }

    private void keepLeft(Iterable<Row> left, BitSet matched, OutputReceiver<Row> output) {
      boolean semi = spec.type() == JoinRelType.SEMI;
      if (!semi && !spec.keepsLeft()) {
        return;
      }
      boolean yieldsPairs = spec.type().projectsRight();
      int index = 0;
      for (Row row : left) {
        if (matched.get(index) == semi) {
          output.output(yieldsPairs ? spec.row(row, null) : row);
        }
        index++;
      }
    }

    private void keepRight(Iterable<Row> right, BitSet matched, OutputReceiver<Row> output) {
      if (!spec.keepsRight()) {
        return;
      }
      int index = 0;
      for (Row row : right) {
        if (!matched.get(index)) {
          output.output(spec.row(null, row));
        }
        index++;
      }
    }
  }
}
