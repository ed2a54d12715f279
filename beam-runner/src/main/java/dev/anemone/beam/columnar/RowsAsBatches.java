// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.NdpSpec.PlanTexts;
import dev.anemone.beam.options.NativeMemoryUser;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Rows as batches, in the tasks that make them. Rows of all windows go into the global one, as
 * those of tables are.
 *
 * @param <T> what the batches of a bundle become
 */
final class RowsAsBatches<T> extends PTransform<PCollection<Row>, PCollection<T>> {

  private static final long serialVersionUID = 1;

  private final String rowJson;
  private final boolean rounds;
  private final BatchForm<T> form;
  private final Coder<T> coder;

  /**
   * Batches.
   *
   * @param row their columns, field by field those of the rows
   * @param rounds whether decimals may have more digits behind the point than their column
   * @param form of the batches
   * @param coder of its elements
   */
  RowsAsBatches(RowType row, boolean rounds, BatchForm<T> form, Coder<T> coder) {
    this.rowJson = PlanTexts.write(new RelationalPlan(row, List.of()));
    this.rounds = rounds;
    this.form = form;
    this.coder = coder;
  }

  @Override
  public PCollection<T> expand(PCollection<Row> rows) {
    PCollection<Row> global =
        rows.getWindowingStrategy().getWindowFn() instanceof GlobalWindows
            ? rows
            : rows.apply("All windows", Window.into(new GlobalWindows()));
    return global
        .apply("Batches", ParDo.of(new BatchesFn<>(rowJson, rounds, form)))
        .setCoder(coder);
  }

  private static final class BatchesFn<T> extends DoFn<Row, T> implements NativeMemoryUser {

    private static final long serialVersionUID = 1;

    /** As many as {@link RowBatches} puts into a batch. */
    private static final int ROWS = 8192;

    /** Of a batch and of what is written of it. */
    private static final long BATCH_BYTES = 32L << 20;

    private final String rowJson;
    private final boolean rounds;
    private final BatchForm<T> form;

    private transient RowType type;
    private transient List<Row> rows;
    private transient BatchForm.Writer writer;
    private transient BatchForm.ElementReceiver<T> output;

    BatchesFn(String rowJson, boolean rounds, BatchForm<T> form) {
      this.rowJson = rowJson;
      this.rounds = rounds;
      this.form = form;
    }

    @Override
    public long nativeBytes() {
      return BATCH_BYTES + form.nativeBytes();
    }

    @StartBundle
    public void startBundle() {
      type = PlanTexts.read(rowJson).scan();
      rows = new ArrayList<>();
    }

    @ProcessElement
    public void processElement(@Element Row row, OutputReceiver<T> receiver) throws Exception {
      rows.add(row);
      if (rows.size() == ROWS) {
        output = receiver::output;
        write();
      }
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) throws Exception {
      output =
          element ->
              context.output(element, BoundedWindow.TIMESTAMP_MIN_VALUE, GlobalWindow.INSTANCE);
      if (!rows.isEmpty()) {
        write();
      }
      if (writer != null) {
        writer.finish();
      }
      closeWriter();
    }

    private void write() throws Exception {
      List<Row> written = rows;
      rows = new ArrayList<>();
      if (writer == null) {
        writer = form.open(element -> output.accept(element));
      }
      try (RowBatches batches =
          rounds
              ? RowBatches.rounded(type, written.iterator())
              : RowBatches.of(type, written.iterator())) {
        while (batches.loadNextBatch()) {
          writer.accept(batches.getVectorSchemaRoot());
        }
      }
    }

    /** Also of a bundle that was not finished. */
    @Teardown
    public void closeWriter() {
      if (writer != null) {
        writer.close();
        writer = null;
      }
    }
  }
}
