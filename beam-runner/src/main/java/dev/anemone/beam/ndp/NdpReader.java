// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.metrics.StepMetrics;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.metrics.MetricsContainer;

/** Reads a split, and runs what follows it in its stage. Gives batches of Arrow. */
final class NdpReader implements SourceReader {

  private final List<RelationalOperator> filters;
  private final List<RelationalOperator> pushed;
  private final List<RelationalOperator> others;
  private final StorageSide storage;
  private final PushdownChoice choice;
  private final SplitRun run;
  private final SourceVertex source;
  private final FileSplit split;
  private final TaskContext context;
  private Optional<byte[]> report = Optional.empty();

  /**
   * A reader.
   *
   * @param source whose name is the full name of the transform
   * @param filters what rows must be like that anybody has a use for
   * @param pushed what the storage side may do to the rows of the scan, in order
   * @param others what is done after that, here
   * @param choice how much of {@code pushed} the storage side does
   * @param engine of all of the job's tasks in this process
   */
  NdpReader(
      SourceVertex source,
      NdpSpec spec,
      FileSplit split,
      List<RelationalOperator> filters,
      List<RelationalOperator> pushed,
      List<RelationalOperator> others,
      StorageSide storage,
      PushdownChoice choice,
      NdpEngine engine,
      TaskContext context) {
    this.context = context;
    this.filters = List.copyOf(filters);
    this.pushed = List.copyOf(pushed);
    this.others = List.copyOf(others);
    this.storage = storage;
    this.choice = choice;
    this.source = source;
    this.split = split;
    this.run = new SplitRun(spec, split, engine);
  }

  @Override
  public void read(Receiver output) throws Exception {
    StepMetrics metrics = new StepMetrics(source.name(), context);
    MetricsContainer caller = metrics.enter();
    try {
      run.run(filters, pushed, others, storage, choice, output::accept)
          .ifPresent(outcome -> metrics.tell(outcome.event(source.id(), split, pushed)));
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
