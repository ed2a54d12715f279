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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples tables of a job at the same time. One is read at a time, while operators are tried on
 * another one: so each finds the network as it is, and it is measured once. Samples are taken in
 * threads of this object, which are ended with it. Used by one thread.
 */
final class TableSamples implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TableSamples.class);

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
  private final NdpEngine engine;

  /** Core-seconds that it took to open the engine; null while there is no sample. */
  private Future<Double> engineSeconds;

  /** By the id of the source. */
  private final Map<String, UnderWay> underWay = new HashMap<>();

  /** Has read a sample when {@code read} has no count any more, and tried operators on it then. */
  private record UnderWay(CountDownLatch read, Future<Optional<OperatorTrial.Result>> result) {}

  /** Samples for a job. */
  TableSamples(StorageAccess access, PassContext context) {
    this.access = access;
    this.context = context;
    this.network = new NetworkMeter(access.bytesPerSecond().isEmpty());
    this.engine =
        NdpEngine.ofOneJob(
            new NdpEngineLimits(
                1, MEMORY_BYTES, DISK_BYTES, access.waits().plan(), EngineDirectory.of("")),
            THREADS);
  }

  private double openEngine() {
    long begin = ThreadTime.nanos();
    engine.openAhead();
    return ThreadTime.secondsSince(begin);
  }

  /** Begins to sample a table, unless that was done before; does not wait. */
  void begin(SampledTable table) {
    if (engineSeconds == null) {
      engineSeconds = threads.submit(this::openEngine);
    }
    Future<Double> opened = engineSeconds;
    underWay.computeIfAbsent(
        table.id(),
        id -> {
          CountDownLatch read = new CountDownLatch(1);
          return new UnderWay(read, threads.submit(() -> tried(table, read, opened)));
        });
  }

  /**
   * Waits until nothing is read any more of what was begun, or has failed.
   *
   * @throws InterruptedIOException when the thread is interrupted meanwhile
   */
  void awaitReads() throws InterruptedIOException {
    try {
      for (UnderWay sample : underWay.values()) {
        // A read has deadlines of its own.
        sample.read().await();
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /**
   * What is found out of tables, which are sampled for it if they have not been yet.
   *
   * @param proxies that answer
   * @return by the id of the source; without those of which there can be no sample
   * @throws InterruptedIOException when the thread is interrupted meanwhile
   */
  Map<String, PushdownCosts> costs(List<SampledTable> tables, List<ProxyStatus> proxies)
      throws IOException {
    tables.forEach(this::begin);
    Map<String, PushdownCosts> costs = new HashMap<>();
    try {
      for (SampledTable table : tables) {
        // Reads and plans have deadlines of their own.
        underWay
            .get(table.id())
            .result()
            .get()
            .ifPresent(tried -> costs.put(table.id(), costs(table, tried, proxies)));
      }
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
    return costs;
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while tables were sampled");
  }

  private Optional<OperatorTrial.Result> tried(
      SampledTable table, CountDownLatch read, Future<Double> opened)
      throws IOException, ExecutionException, InterruptedException {
    List<RelationalOperator> operators = table.operators();
    Optional<SplitSample> sample;
    try {
      sample = SplitSample.of(table.spec(), table.split(), operators, network);
    } finally {
      read.countDown();
    }
    if (sample.isEmpty()) {
      return Optional.empty();
    }
    try (SplitSample open = sample.get()) {
      return Optional.of(
          new OperatorTrial(engine, opened.get(), table.spec(), open).of(operators, table.split()));
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

  /** Ends what is under way. Does not wait: the job needs none of it any more. */
  @Override
  public void close() {
    threads.shutdownNow();
    new Thread(this::closeEngine, "anemone-samples-end").start();
  }

  private void closeEngine() {
    try (engine) {
      // Plans have deadlines.
      if (!threads.awaitTermination(access.waits().plan().toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("Operators are still tried on samples that nobody wants any more");
      }
    } catch (InterruptedException e) {
      LOG.warn("Interrupted while samples came to their end", e);
    }
  }
}
