// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.window;

import dev.anemone.beam.sql.rel.SqlValues;
import dev.anemone.beam.sql.rel.UnaryRel;
import java.util.List;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.mapping.Mappings;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** Puts rows at the time that one of their columns says, and into windows. */
public final class TimeWindowRel extends UnaryRel {

  private final int time;
  private final WindowFn<Object, IntervalWindow> windows;

  /**
   * An operator.
   *
   * @param time the column that says the time
   */
  TimeWindowRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      int time,
      WindowFn<Object, IntervalWindow> windows) {
    super(cluster, traits, input, input.getRowType().getFieldCount(), List.of());
    this.time = time;
    this.windows = windows;
  }

  @Override
  public ImmutableBitSet reads() {
    return ImmutableBitSet.of(time);
  }

  @Override
  public UnaryRel on(RelTraitSet traits, RelNode other, Mappings.TargetMapping moved) {
    return new TimeWindowRel(getCluster(), traits, other, moved.getTarget(time), windows);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("time", "$" + time)
        .item("windows", TimeWindows.describe(windows));
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    TimeFn times = new TimeFn(time);
    return new PTransform<>() {
      @Override
      public PCollection<Row> expand(PCollectionList<Row> inputs) {
        PCollection<Row> rows = inputs.get(0);
        return rows.apply("Times", ParDo.of(times))
            .setCoder(rows.getCoder())
            .apply("Windows", Window.into(windows));
      }
    };
  }

  private static final class TimeFn extends DoFn<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final int time;

    TimeFn(int time) {
      this.time = time;
    }

    @ProcessElement
    public void process(@Element Row row, OutputReceiver<Row> output) {
      Long millis = SqlValues.timestamp(row, time);
      if (millis == null) {
        throw new IllegalArgumentException(
            "A row has NULL for its time, so it is in no window: "
                + row
                + ". Leave such rows out with IS NOT NULL.");
      }
      output.outputWithTimestamp(row, Instant.ofEpochMilli(millis));
    }

    /** Rows of a table may be at any time. */
    @Override
    @SuppressWarnings("deprecation") // there is nothing else that says so
    public Duration getAllowedTimestampSkew() {
      return Duration.millis(Long.MAX_VALUE);
    }
  }
}
