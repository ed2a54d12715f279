// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.TableFormat;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.write.WrittenRows;
import dev.anemone.ndp.format.FileFormat;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;

/**
 * Writes what a query gives into files of a table, batch by batch, and gives them their names when
 * all of them are written. Its output has no rows.
 *
 * <pre>
 * query --(path)--+
 *                 +-- group all -- names
 * query --(path)--+
 * </pre>
 */
public final class FileWrite extends PTransform<PCollectionList<Row>, PCollection<Row>> {

  private static final long serialVersionUID = 1;

  /** What makes the batches that are written. */
  @FunctionalInterface
  public interface Batches {

    /**
     * The steps that make them.
     *
     * @param form of the batches
     * @param coder of its elements
     */
    <T> PTransform<PCollectionList<Row>, PCollection<T>> as(BatchForm<T> form, Coder<T> coder);
  }

  private final transient Batches batches;
  private final transient WrittenRows rows;
  private final transient FileFormat format;
  private final FileTarget target;
  private final Schema schema;

  /**
   * A write.
   *
   * @param batches of the rows
   * @param format of the files
   * @param schema of the output
   */
  public FileWrite(
      Batches batches, WrittenRows rows, FileFormat format, FileTarget target, Schema schema) {
    this.batches = batches;
    this.rows = rows;
    this.format = format;
    this.target = target;
    this.schema = schema;
  }

  /** Batches of the rows of a collection, made in the tasks that make these. */
  public static Batches ofRows(RowType row) {
    return new Batches() {
      @Override
      public <T> PTransform<PCollectionList<Row>, PCollection<T>> as(
          BatchForm<T> form, Coder<T> coder) {
        return new OfRows<>(new RowsAsBatches<>(row, true, form, coder));
      }
    };
  }

  @Override
  public PCollection<Row> expand(PCollectionList<Row> inputs) {
    PipelineOptions options = inputs.getPipeline().getOptions();
    FileForm form =
        FileForm.of(
            rows, TableFormat.text(format), target.hiddenDirectory(), QuerySpec.inSlot(options));
    return inputs
        .apply("Files", batches.as(form, StringUtf8Coder.of()))
        .apply("Commit", new FileCommit(form, target, schema));
  }

  private static final class OfRows<T> extends PTransform<PCollectionList<Row>, PCollection<T>> {

    private static final long serialVersionUID = 1;

    private final RowsAsBatches<T> batches;

    OfRows(RowsAsBatches<T> batches) {
      this.batches = batches;
    }

    @Override
    public PCollection<T> expand(PCollectionList<Row> rows) {
      return rows.get(0).apply("Rows", batches);
    }
  }
}
