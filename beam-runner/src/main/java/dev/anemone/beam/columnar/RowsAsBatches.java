// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.options.NativeMemoryUser;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Rows as batches of an exchange, in the tasks that make them. Rows of all windows go into the
 * global one, as those of tables are.
 */
final class RowsAsBatches
    extends PTransform<PCollection<Row>, PCollection<KV<Integer, ExchangedBatch>>> {

  private static final long serialVersionUID = 1;

  private final ExchangeForm form;

  /**
   * Batches of an exchange.
   *
   * @param form of it; its columns have no decimals, whose digits rows do not declare
   */
  RowsAsBatches(ExchangeForm form) {
    this.form = form;
  }

  @Override
  public PCollection<KV<Integer, ExchangedBatch>> expand(PCollection<Row> rows) {
    PCollection<Row> global =
        rows.getWindowingStrategy().getWindowFn() instanceof GlobalWindows
            ? rows
            : rows.apply("All windows", Window.into(new GlobalWindows()));
    return global.apply("Batches", ParDo.of(new BatchesFn(form))).setCoder(ExchangeForm.CODER);
  }

  private static final class BatchesFn extends DoFn<Row, KV<Integer, ExchangedBatch>>
      implements NativeMemoryUser {

    private static final long serialVersionUID = 1;

    /** As many as {@link RowBatches} puts into a batch. */
    private static final int ROWS = 8192;

    /** Of a batch and of what is written of it. */
    private static final long NATIVE_BYTES = 32L << 20;

    private final ExchangeForm form;
    private transient List<Row> rows;

    BatchesFn(ExchangeForm form) {
      this.form = form;
    }

    @Override
    public long nativeBytes() {
      return NATIVE_BYTES;
    }

    @StartBundle
    public void startBundle() {
      rows = new ArrayList<>();
    }

    @ProcessElement
    public void processElement(@Element Row row, OutputReceiver<KV<Integer, ExchangedBatch>> output)
        throws Exception {
      rows.add(row);
      if (rows.size() == ROWS) {
        write(output::output);
      }
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) throws Exception {
      if (!rows.isEmpty()) {
        write(
            batch ->
                context.output(batch, BoundedWindow.TIMESTAMP_MIN_VALUE, GlobalWindow.INSTANCE));
      }
    }

    private void write(BatchForm.ElementReceiver<KV<Integer, ExchangedBatch>> output)
        throws Exception {
      List<Row> written = rows;
      rows = new ArrayList<>();
      try (BatchForm.Writer writer = form.open(output);
          RowBatches batches = RowBatches.of(form.row(), written.iterator())) {
        while (batches.loadNextBatch()) {
          writer.accept(batches.getVectorSchemaRoot());
        }
        writer.finish();
      }
    }
  }
}
