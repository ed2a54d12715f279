package dev.anemone.beam.ndp;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ndp.cost.JobDecision;
import dev.anemone.ndp.engine.EngineLimits;
import dev.anemone.ndp.engine.StorageEngine;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PushdownAdvisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.common.ReflectHelpers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the cost model about tables of {@code TYPE ndp}. What it is told comes from a sample of a
 * split, on which the operators are run in this process, from what the proxies say of themselves,
 * and from the options. Thread-safe.
 */
public final class NearDataAdvisor implements PushdownAdvisor {

  private static final Logger LOG = LoggerFactory.getLogger(NearDataAdvisor.class);

  private static final long NANOS_PER_MILLISECOND = 1_000_000;
  private static final long MEMORY_BYTES = 256L << 20;
  private static final long DISK_BYTES = 4L << 30;
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /**
   * What proxies did last may have been other plans than these: they are believed to be so many
   * times as fast as this process at most, and so many times as slow.
   */
  private static final double MOST_DIFFERENT = 4;

  @Override
  public boolean knows(SourceVertex source) {
    return source.source().urn().equals(NdpUrns.SOURCE);
  }

  @Override
  public Optional<PushdownCosts> costs(
      SourceVertex source, List<OperatorVertex> operators, PassContext context) {
    ClassLoader classLoader = ReflectHelpers.findClassLoader();
    NdpSpec spec = BeamSpecs.payload(source.source(), NdpSpec.class, classLoader);
    SourcePart largest =
        source.parts().stream().max(Comparator.comparingLong(SourcePart::sizeBytes)).orElseThrow();
    FileSplit split = BeamSpecs.payload(largest.spec(), FileSplit.class, classLoader);
    long begin = System.nanoTime();
    // The advisor reads no row of the storage side, and needs no token for that.
    try (StorageSide storage = StorageSide.of(spec.access(), PipelineOptionsFactory.create())) {
      List<ProxyStatus> proxies = storage.proxyOf(split).isEmpty() ? List.of() : storage.statuses();
      if (proxies.isEmpty()) {
        return Optional.of(
            new PushdownCosts(
                (double) split.length(),
                1,
                source.parts().size(),
                List.of(),
                0,
                0,
                0,
                0,
                computeCores(spec, context),
                context.slots()));
      }
      long asked = System.nanoTime();
      NetworkMeter network = new NetworkMeter(spec.access().bytesPerSecond().isEmpty());
      Optional<OperatorTrial.Result> tried =
          trial(
              spec,
              split,
              operators.stream()
                  .map(vertex -> RelationalFunctions.operatorOf(vertex.operator()).orElseThrow())
                  .toList(),
              network);
      LOG.debug(
          "proxies were asked for {} ms, {} was sampled for {} ms",
          (asked - begin) / NANOS_PER_MILLISECOND,
          split,
          (System.nanoTime() - asked) / NANOS_PER_MILLISECOND);
      if (tried.isEmpty()) {
        return Optional.empty();
      }
      double readShare = tried.get().readBytes() / Math.max(1, split.length());
      double storageSpeed = storageSpeed(tried.get(), proxies);
      return Optional.of(
          new PushdownCosts(
              readShare * source.sizeBytes() / source.parts().size(),
              readShare,
              source.parts().size(),
              tried.get().operators().stream()
                  .map(operator -> atStorage(operator, storageSpeed))
                  .toList(),
              spec.access().bytesPerSecond().orElseGet(() -> measured(network)),
              proxies.size(),
              NearDataModel.coresPerNode(proxies),
              NearDataModel.drainRate(proxies),
              computeCores(spec, context),
              context.slots()));
    } catch (IOException e) {
      throw new UncheckedIOException("a sample of " + split + " cannot be read", e);
    }
  }

  private static Optional<OperatorTrial.Result> trial(
      NdpSpec spec, FileSplit split, List<RelationalOperator> operators, NetworkMeter network)
      throws IOException {
    Optional<SplitSample> sample = SplitSample.of(spec, split, network);
    if (sample.isEmpty()) {
      return Optional.empty();
    }
    EngineLimits limits =
        new EngineLimits(
            1, MEMORY_BYTES, DISK_BYTES, DEADLINE, Path.of(System.getProperty("java.io.tmpdir")));
    try (SplitSample open = sample.get();
        StorageEngine engine = new StorageEngine(limits)) {
      return Optional.of(new OperatorTrial(engine, spec, open).of(operators, split));
    }
  }

  /** Work of the storage side for each of this process, by the plans that proxies have run. */
  private static double storageSpeed(OperatorTrial.Result tried, List<ProxyStatus> proxies) {
    double work = 0;
    double bytes = 0;
    for (ProxyStatus proxy : proxies) {
      work += proxy.bytesPerSecond() > 0 ? proxy.coreSecondsPerSecond() : 0;
      bytes += proxy.bytesPerSecond();
    }
    double here = 0;
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

  /** Bytes per second; of a file without bytes any will do. */
  private static double measured(NetworkMeter network) {
    return network.bytesPerSecond().orElse(Double.MAX_VALUE);
  }

  /** On YARN a task has a core of its own; here they share those of this machine. */
  private static int computeCores(NdpSpec spec, PassContext context) {
    return spec.sharedProcessors() == 0
        ? context.slots()
        : Math.min(context.slots(), spec.sharedProcessors());
  }

  @Override
  public Advice advise(PushdownCosts costs) {
    if (costs.storageNodes() == 0) {
      return Advice.of(0, "none of --ndpProxies answers for it");
    }
    JobDecision decision = new NearDataModel(costs, costs.operators().size()).decision();
    int operators = Math.max(decision.pushed(), decision.mix().more());
    return new Advice(
        operators,
        String.format(
            Locale.ROOT,
            "%.3f s expected, and %.3f s with none pushed",
            decision.mix().seconds(),
            decision.estimates().get(0).seconds()),
        decision.toString().lines().toList());
  }
}
