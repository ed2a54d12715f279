// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.ndp.NdpSpec.PlanTexts;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.format.FileFormat;
import java.util.List;
import java.util.function.Supplier;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;

/**
 * Reads a table and runs the plan that follows its scan. NemoRunner takes it as it is; any other
 * runner reads splits with the same engine in a DoFn. An aggregate of the plan is partial: there is
 * a row of it for each split at least.
 *
 * @param <T> what its batches become
 */
public final class NdpRead<T> extends PTransform<PBegin, PCollection<T>> implements BatchTransform {

  private static final long serialVersionUID = 1;

  private final String location;
  private final String formatText;
  private final String columnsJson;
  private final String planJson;
  private final BatchForm<T> form;
  private final Coder<T> coder;

  /** Files do not change between the look at them here and the runner's translation. */
  private List<FileSplit> splits = List.of();

  /**
   * A read.
   *
   * @param location of the table's files, see {@link TableFiles}
   * @param columns all columns of the table
   * @param plan what is read, and done to it
   * @param form of what the plan gives
   * @param coder of the elements
   */
  public NdpRead(
      String location,
      FileFormat format,
      RowType columns,
      RelationalPlan plan,
      BatchForm<T> form,
      Coder<T> coder) {
    this.location = location;
    this.formatText = TableFormat.text(format);
    this.columnsJson = PlanTexts.write(new RelationalPlan(columns, List.of()));
    this.planJson = PlanTexts.write(plan);
    this.form = form;
    this.coder = coder;
  }

  /** The table and the columns that are read. */
  NdpSpec source(PipelineOptions options) {
    return NdpSpec.of(
        TableFormat.parse(formatText),
        PlanTexts.read(columnsJson).scan(),
        plan().scan(),
        StorageAccess.of(options),
        options.as(NemoPipelineOptions.class).getDeployMode().equalsIgnoreCase("yarn")
            ? 0
            : Runtime.getRuntime().availableProcessors());
  }

  /** The operators as functions, in order. */
  public RelationalPlan plan() {
    return PlanTexts.read(planJson);
  }

  BatchForm<T> form() {
    return form;
  }

  @Override
  public List<IRVertex> vertices(String stepName, PipelineOptions options, Supplier<String> ids) {
    return new NdpVertices(stepName, options).of(this, ids);
  }

  /** What is read, at least one split; known from the moment that the transform was applied. */
  public List<FileSplit> splits() {
    return splits;
  }

  @Override
  public PCollection<T> expand(PBegin begin) {
    splits =
        List.copyOf(
            FileSplits.of(
                TableFiles.at(location),
                TableFormat.parse(formatText),
                begin.getPipeline().getOptions()));
    return begin
        .apply("Splits", Create.of(splits).withCoder(SerializableCoder.of(FileSplit.class)))
        .apply("Spread", Reshuffle.viaRandomKey())
        .apply(
            "Read",
            ParDo.of(new ReadFn<>(source(begin.getPipeline().getOptions()), planJson, form)))
        .setCoder(coder);
  }

  /** Reads splits where the runner knows nothing of them. */
  private static final class ReadFn<T> extends DoFn<FileSplit, T> {

    private static final long serialVersionUID = 1;

    private final NdpSpec source;
    private final String planJson;
    private final BatchForm<T> form;

    ReadFn(NdpSpec source, String planJson, BatchForm<T> form) {
      this.source = source;
      this.planJson = planJson;
      this.form = form;
    }

    @ProcessElement
    public void processElement(
        @Element FileSplit split, OutputReceiver<T> output, PipelineOptions options)
        throws Exception {
      try (NdpEngine engine = SplitRun.engine(options, 1);
          BatchForm.Writer writer = form.open(output::output)) {
        new SplitRun(source, split, engine).runHere(PlanTexts.read(planJson), writer);
        writer.finish();
      }
    }
  }
}
