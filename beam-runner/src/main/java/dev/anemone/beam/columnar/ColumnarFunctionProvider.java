// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.metrics.StepMetrics;
import dev.anemone.beam.ndp.FormOperator;
import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementEncoder;
import dev.anemone.runtime.spi.FunctionProvider;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import java.util.Optional;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.options.PipelineOptions;

/** Makes the sources and operators that are whole queries. */
public final class ColumnarFunctionProvider implements FunctionProvider {

  /** Opening a database takes tens of milliseconds, so tasks of a job have one together. */
  private static final String ENGINE = "columnar-engine";

  @Override
  public boolean provides(String urn) {
    return urn.equals(RelationalFunctions.QUERY_URN)
        || urn.equals(RelationalFunctions.PARTITIONS_URN)
        || urn.equals(RelationalFunctions.TOGETHER_URN)
        || urn.equals(RelationalFunctions.PIECES_URN)
        || urn.equals(RelationalFunctions.EXCHANGE_URN);
  }

  @Override
  public SourceReader sourceReader(SourceVertex source, FunctionSpec part, TaskContext context) {
    return new CountedReader(
        new QueryReader(
            query(source.source()),
            BeamSpecs.payload(part, QuerySpec.class, context.classLoader())),
        source.name(),
        context);
  }

  @Override
  public Operator operator(FunctionSpec spec, TaskContext context) throws Exception {
    if (spec.urn().equals(RelationalFunctions.EXCHANGE_URN)) {
      return new FormOperator<>(ExchangeForm.of(spec));
    }
    PipelineOptions options = JobOptions.of(context);
    QuerySpec slots = QuerySpec.ofSlots(options);
    NdpEngine engine = context.shared(ENGINE, slots::engine);
    Optional<PiecedQuery> pieced = RelationalFunctions.piecedOf(spec);
    if (pieced.isPresent()) {
      return new PiecesOperator(pieced.get(), slots, engine, PiecesQuery.pieceBytes(options));
    }
    PartitionedQuery query =
        RelationalFunctions.partitionedOf(spec).orElseThrow(() -> noCode(spec));
    return spec.urn().equals(RelationalFunctions.TOGETHER_URN)
        ? new TogetherOperator(query, slots, engine)
        : new PartitionsOperator(query, slots, engine, PiecesQuery.pieceBytes(options));
  }

  private static RelationalQuery query(FunctionSpec spec) {
    return RelationalFunctions.queryOf(spec).orElseThrow(() -> noCode(spec));
  }

  @Override
  public ElementEncoder encoder(FunctionSpec encoder, TaskContext context) {
    throw noCode(encoder);
  }

  @Override
  public ElementDecoder decoder(FunctionSpec decoder, TaskContext context) {
    throw noCode(decoder);
  }

  @Override
  public RecordEncoder recordEncoder(
      FunctionSpec keyExtractor,
      FunctionSpec keyEncoder,
      FunctionSpec encoder,
      TaskContext context) {
    throw noCode(encoder);
  }

  private static IllegalStateException noCode(FunctionSpec spec) {
    return new IllegalStateException(spec.urn() + " is a query and codes no elements");
  }

  /** Counts what a query does as metrics of the step that its source is. */
  private static final class CountedReader implements SourceReader {

    private final QueryReader query;
    private final String stepName;
    private final TaskContext context;
    private Optional<byte[]> report = Optional.empty();

    CountedReader(QueryReader query, String stepName, TaskContext context) {
      this.query = query;
      this.stepName = stepName;
      this.context = context;
    }

    @Override
    public void read(Receiver output) throws Exception {
      StepMetrics metrics = new StepMetrics(stepName, context);
      MetricsContainer caller = metrics.enter();
      try {
        query.read(output);
      } finally {
        metrics.leave(caller);
        metrics.end();
      }
      report = metrics.report();
    }

    @Override
    public Optional<byte[]> report() {
      return report;
    }
  }
}
