// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.hdfs.ReadWatch;
import dev.anemone.beam.options.NdpOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ndp.client.ProxyAnswer;
import dev.anemone.ndp.decide.ReadsInProgress.Reading;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.Table;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.options.PipelineOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a read's operators on a split: those that may run on the storage side there, if a proxy does
 * it, and the others here; all of them here, if not. Used once, by one thread.
 */
final class SplitRun {

  private static final Logger LOG = LoggerFactory.getLogger(SplitRun.class);

  /** What the engine may put on disk where its memory is too small, in bytes. */
  private static final long DISK_BYTES = 64L << 30;

  private final NdpSpec spec;
  private final FileSplit split;
  private final NdpEngine engine;
  private long handedNanos;

  /** What comes for a reading is what comes of its file. */
  private record Watched(Reading reading) implements ReadWatch {

    @Override
    public void waits() {
      reading.waits();
    }

    @Override
    public void arrived(int bytes) {
      reading.arrived(bytes);
    }
  }

  /**
   * @param engine runs what is not run on the storage side; left open
   */
  SplitRun(NdpSpec spec, FileSplit split, NdpEngine engine) {
    this.spec = spec;
    this.split = split;
    this.engine = engine;
  }

  /**
   * An engine for splits of one job.
   *
   * @param tasks that use it at the same time
   */
  static NdpEngine engine(PipelineOptions options, int tasks) {
    NdpOptions ndp = options.as(NemoPipelineOptions.class);
    return NdpEngine.ofOneJob(
        new NdpEngineLimits(
                1,
                NdpEngineMemory.of(options).bytes(),
                DISK_BYTES,
                Duration.ofSeconds(ndp.getNdpDeadlineSeconds()),
                EngineDirectory.of(EngineDirectory.parent(options)))
            .withMemoryOption("ndpEngineMemoryMb"),
        tasks);
  }

  /**
   * Runs operators on the split.
   *
   * @param filters come before all operators, wherever these run
   * @param pushed the first operators, which the storage side may run
   * @param others the operators after them
   * @param choice how many of the first the storage side runs
   * @return where the first operators ran; empty when there are none
   * @throws InterruptedException when the thread is interrupted between two batches
   * @throws Exception what {@code output} threw, or when an operator fails
   */
  Optional<SplitOutcome> run(
      List<RelationalOperator> filters,
      List<RelationalOperator> pushed,
      List<RelationalOperator> others,
      StorageSide storage,
      PushdownChoice choice,
      BatchReceiver output)
      throws Exception {
    long start = System.nanoTime();
    List<RelationalOperator> all = new ArrayList<>(filters);
    all.addAll(pushed);
    all.addAll(others);
    Optional<StorageProxy> proxy = pushed.isEmpty() ? Optional.empty() : storage.proxyOf(split);
    try (Reading reading =
        proxy.isPresent()
            ? choice.begin(split, storage, proxy.get(), pushed.size())
            : storage.reads().beginHere(split.length())) {
      Optional<String> cause = Optional.empty();
      boolean asked = reading.operators() > 0;
      if (asked) {
        cause = runThere(proxy.get(), all, filters.size(), reading, output);
      } else {
        NdpMetrics.operatorsPushed(0);
      }
      boolean pulled = !asked || cause.isPresent();
      if (pulled) {
        if (asked) {
          reading.continueHere(split.length());
        }
        runHere(new RelationalPlan(spec.scan(), all), new Watched(reading), output);
      }
      long nanos = System.nanoTime() - start - handedNanos;
      return pushed.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new SplitOutcome(
                  proxy.filter(one -> !pulled).map(StorageProxy::name),
                  pulled ? 0 : reading.operators(),
                  cause.or(
                      () -> proxy.isEmpty() ? Optional.of(SplitOutcome.NOBODY) : Optional.empty()),
                  reading.model(),
                  TimeUnit.NANOSECONDS.toMillis(nanos)));
    }
  }

  /**
   * Hands on what the proxy answers. Its answer is whole before a row of it is handed on.
   *
   * @param filters how many of the operators are run wherever the next one is
   * @param reading with the number of operators that are run by the proxy, at least 1
   * @return why there is no answer; empty when there was one
   */
  private Optional<String> runThere(
      StorageProxy proxy,
      List<RelationalOperator> all,
      int filters,
      Reading reading,
      BatchReceiver output)
      throws Exception {
    int there = filters + reading.operators();
    RelationalPlan plan = new RelationalPlan(spec.scan(), all.subList(0, there));
    try (BufferAllocator allocator = new RootAllocator()) {
      ProxyAnswer answer;
      try {
        answer = proxy.run(spec, split, plan, allocator);
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LOG.info("Split {} is done here: {}", split, e.getMessage());
        NdpMetrics.pushedBack();
        return Optional.of(String.valueOf(e.getMessage()));
      } finally {
        reading.planEnds();
      }
      if (there == all.size()) {
        try (answer) {
          while (answer.loadNextBatch()) {
            hand(answer.getVectorSchemaRoot(), output);
          }
          NdpMetrics.pushed(answer.bytesRead());
        }
      } else {
        finish(answer, new RelationalPlan(plan.output(), all.subList(there, all.size())), output);
      }
      NdpMetrics.operatorsPushed(reading.operators());
      return Optional.empty();
    }
  }

  private void finish(ProxyAnswer answer, RelationalPlan rest, BatchReceiver output)
      throws Exception {
    try (PlanAnswer finished = engine.run(rest, answer)) {
      each(finished, output);
      NdpMetrics.pushed(answer.bytesRead());
    }
  }

  /** Runs a plan on the split in this process. */
  void runHere(RelationalPlan plan, BatchReceiver output) throws Exception {
    runHere(plan, ReadWatch.NONE, output);
  }

  private void runHere(RelationalPlan plan, ReadWatch watch, BatchReceiver output)
      throws Exception {
    try (FileBytes bytes = new FileBytes(split.file(), split.fileBytes(), watch);
        PlanAnswer answer = start(plan, bytes)) {
      each(answer, output);
      NdpMetrics.rowGroups(answer.rowGroups(), answer.rowGroupsSkipped());
      NdpMetrics.read(bytes.bytesRead());
    }
  }

  private PlanAnswer start(RelationalPlan plan, FileBytes bytes) {
    return split.isLocal()
        ? engine.run(
            plan, new Table(Path.of(split.file()), spec.format(), spec.columns()), split.range())
        : engine.run(plan, spec.format(), spec.columns(), bytes, split.range());
  }

  private void each(PlanAnswer answer, BatchReceiver output) throws Exception {
    while (answer.loadNextBatch()) {
      hand(answer.root(), output);
    }
  }

  private void hand(VectorSchemaRoot batch, BatchReceiver output) throws Exception {
    if (Thread.interrupted()) {
      throw new InterruptedException("the task was stopped while it read " + split);
    }
    long start = System.nanoTime();
    output.accept(batch);
    handedNanos += System.nanoTime() - start;
  }
}
