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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Samples tables of a job at the same time. One is read at a time, while operators are tried on
 * another one: so each finds the network as it is, and it is measured once. Used by one thread.
 */
final class TableSamples {

  private static final long MEMORY_BYTES = 256L << 20;
  private static final long DISK_BYTES = 4L << 30;
  private static final int THREADS = 8;

  /**
   * What proxies did last may have been other plans than these: they are believed to be so many
   * times as fast as this process at most, and so many times as slow.
   */
  private static final double MOST_DIFFERENT = 4;

  private final StorageAccess access;
  private final List<ProxyStatus> proxies;
  private final PassContext context;
  private final NetworkMeter network;

  /**
   * Samples for a job.
   *
   * @param proxies that answer
   */
  TableSamples(StorageAccess access, List<ProxyStatus> proxies, PassContext context) {
    this.access = access;
    this.proxies = List.copyOf(proxies);
    this.context = context;
    this.network = new NetworkMeter(access.bytesPerSecond().isEmpty());
  }

  /**
   * What is found out.
   *
   * @return by the id of the source; without those of which there can be no sample
   * @throws InterruptedIOException when the thread is interrupted meanwhile
   */
  Map<String, PushdownCosts> costs(List<SampledTable> tables) throws IOException {
    Map<String, PushdownCosts> costs = new HashMap<>();
    List<Optional<OperatorTrial.Result>> results = results(tables);
    for (int i = 0; i < tables.size(); i++) {
      SampledTable table = tables.get(i);
      results.get(i).ifPresent(tried -> costs.put(table.id(), costs(table, tried)));
    }
    return costs;
  }

  private List<Optional<OperatorTrial.Result>> results(List<SampledTable> tables)
      throws IOException {
    List<Callable<Optional<OperatorTrial.Result>>> trials = new ArrayList<>();
    for (SampledTable table : tables) {
      trials.add(() -> tried(table));
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(Math.max(1, Math.min(THREADS, tables.size())));
    List<Optional<OperatorTrial.Result>> results = new ArrayList<>();
    try {
      // Reads and plans have deadlines of their own.
      for (Future<Optional<OperatorTrial.Result>> result : threads.invokeAll(trials)) {
        results.add(result.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while tables were sampled");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } finally {
      threads.shutdownNow();
    }
    return results;
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

  private PushdownCosts costs(SampledTable table, OperatorTrial.Result tried) {
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
}
