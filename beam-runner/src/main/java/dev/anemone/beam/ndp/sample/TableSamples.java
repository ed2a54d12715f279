// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import dev.anemone.beam.ndp.EngineDirectory;
import dev.anemone.beam.ndp.StorageAccess;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ndp.decide.SourceModel;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.passes.PassContext;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Samples tables of a job at the same time, in the background. One is read at a time, while
 * operators are tried on another one: so each finds the network as it is, and it is measured once.
 * Used by one thread.
 */
final class TableSamples implements AutoCloseable {

  private static final long MEMORY_BYTES = 256L << 20;
  private static final long DISK_BYTES = 4L << 30;
  private static final int THREADS = 8;

  /**
   * What proxies did last may have been other plans than these: they are believed to be so many
   * times as fast as this process at most, and so many times as slow.
   */
  private static final double MOST_DIFFERENT = 4;

  private final StorageAccess access;
  private final PassContext context;
  private final NetworkMeter network;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final Map<String, Future<Optional<OperatorTrial.Result>>> begun = new HashMap<>();

  /** Samples for a job; none yet. */
  TableSamples(StorageAccess access, PassContext context) {
    this.access = access;
    this.context = context;
    this.network = new NetworkMeter(access.bytesPerSecond().isEmpty());
  }

  /** Begins to sample a table, unless that has been begun before. Does not wait. */
  void begin(SampledTable table) {
    begun.computeIfAbsent(table.id(), id -> threads.submit(() -> tried(table)));
  }

  /** Whether a sample of the table has been begun. */
  boolean haveBegun(SampledTable table) {
    return begun.containsKey(table.id());
  }

  /**
   * What is found out of a table. Waits for its sample, whose reads and plans have deadlines.
   *
   * @param table that has been begun
   * @param proxies that answer
   * @return empty where there can be no sample
   * @throws InterruptedIOException when the thread is interrupted meanwhile
   */
  Optional<PushdownCosts> costs(SampledTable table, List<ProxyStatus> proxies) throws IOException {
    try {
      return begun.get(table.id()).get().map(tried -> costs(table, tried, proxies));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while tables were sampled");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private Optional<OperatorTrial.Result> tried(SampledTable table) throws IOException {
    List<RelationalOperator> operators = table.operators();
    Optional<SplitSample> sample = SplitSample.of(table.spec(), table.split(), operators, network);
    if (sample.isEmpty()) {
      return Optional.empty();
    }
    NdpEngineLimits limits =
        new NdpEngineLimits(
            1, MEMORY_BYTES, DISK_BYTES, access.waits().plan(), EngineDirectory.of(""));
    try (SplitSample open = sample.get();
        NdpEngine engine = new NdpEngine(limits)) {
      return Optional.of(
          new OperatorTrial(engine, table.spec(), open).of(operators, table.split()));
    } catch (IOException e) {
      throw new IOException("a sample of " + table.split() + " cannot be read", e);
    }
  }

  private PushdownCosts costs(
      SampledTable table, OperatorTrial.Result tried, List<ProxyStatus> proxies) {
    double readShare = tried.readBytes() / Math.max(1, table.split().length());
    double storageSpeed = storageSpeed(tried, proxies);
    return new PushdownCosts(
        new PushdownCosts.Splits(
            table.splits(), readShare * table.bytes() / table.splits(), readShare),
        tried.operators().stream().map(operator -> atStorage(operator, storageSpeed)).toList(),
        new PushdownCosts.Storage(
            proxies.size(),
            SourceModel.coresPerNode(proxies),
            SourceModel.drainRate(proxies),
            tried.startSeconds() * storageSpeed),
        new PushdownCosts.Compute(
            table.computeCores(context), context.slots(), tried.startSeconds()),
        // Of a file without bytes any will do.
        access.bytesPerSecond().orElseGet(() -> network.bytesPerSecond().orElse(Double.MAX_VALUE)));
  }

  /** Work of the storage side for each of this process, by the plans that proxies have run. */
  private static double storageSpeed(OperatorTrial.Result tried, List<ProxyStatus> proxies) {
    double work = 0;
    double bytes = 0;
    for (ProxyStatus proxy : proxies) {
      work += proxy.rates().bytesPerSecond() > 0 ? proxy.rates().coreSecondsPerSecond() : 0;
      bytes += proxy.rates().bytesPerSecond();
    }
    double here = tried.startSeconds();
    double left = tried.readBytes();
    for (PushdownCosts.Operator operator : tried.operators()) {
      here += left * operator.computeSecondsPerByte();
      left *= operator.selectivity();
    }
    if (work <= 0 || bytes <= 0 || here <= 0) {
      return 1;
    }
    double ratio = work / bytes * tried.readBytes() / here;
    return Math.max(1 / MOST_DIFFERENT, Math.min(MOST_DIFFERENT, ratio));
  }

  private static PushdownCosts.Operator atStorage(PushdownCosts.Operator operator, double speed) {
    return new PushdownCosts.Operator(
        operator.name(),
        operator.selectivity(),
        operator.storageSecondsPerByte() * speed,
        operator.computeSecondsPerByte());
  }

  /** Ends the samples that nobody has waited for. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
