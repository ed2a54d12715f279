// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.source;

import dev.anemone.beam.metrics.StepMetrics;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import java.util.Optional;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.values.WindowedValues;

/** Reads one split of a bounded source. Elements keep the timestamps that the source gives. */
public final class BoundedSourceReader implements SourceReader {

  private final BoundedSource<?> split;
  private final String stepName;
  private final PipelineOptions options;
  private final TaskContext context;
  private Optional<byte[]> report = Optional.empty();
  private volatile Optional<BoundedSource.BoundedReader<?>> running = Optional.empty();

  /** A reader of one split, which goes by the name of the step that reads the whole source. */
  public BoundedSourceReader(
      BoundedSource<?> split, String stepName, PipelineOptions options, TaskContext context) {
    this.split = split;
    this.stepName = stepName;
    this.options = options;
    this.context = context;
  }

  @Override
  public void read(Receiver output) throws Exception {
    StepMetrics metrics = new StepMetrics(stepName, context);
    MetricsContainer caller = metrics.enter();
    try (BoundedSource.BoundedReader<?> reader = split.createReader(options)) {
      running = Optional.of(reader);
      for (boolean available = reader.start(); available; available = reader.advance()) {
        output.accept(
            WindowedValues.timestampedValueInGlobalWindow(
                reader.getCurrent(), reader.getCurrentTimestamp()));
      }
    } finally {
      running = Optional.empty();
      metrics.leave(caller);
      metrics.end();
    }
    report = metrics.report();
  }

  @Override
  public double fraction() {
    return running.map(BoundedSource.BoundedReader::getFractionConsumed).orElse(0.0);
  }

  @Override
  public Optional<byte[]> report() {
    return report;
  }
}
