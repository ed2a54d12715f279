// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import dev.anemone.beam.ndp.NdpUrns;
import dev.anemone.beam.ndp.StorageAccess;
import dev.anemone.beam.ndp.StorageSide;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.decide.JobDecision;
import dev.anemone.ndp.decide.SourceModel;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PushdownAdvisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.common.ReflectHelpers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the cost model about tables of {@code TYPE ndp}. What it is told comes from samples of
 * splits, on which the operators are run in this process, from what the proxies say of themselves,
 * and from the options. All tables of a job are sampled at the same time; one that the storage side
 * is done with sooner than a sample would be is pushed without. Thread-safe.
 */
public final class SampledPushdownAdvisor implements PushdownAdvisor {

  private static final Logger LOG = LoggerFactory.getLogger(SampledPushdownAdvisor.class);

  private static final double NANOS_PER_MILLISECOND = 1e6;

  /** What a job waits for a sample, about. */
  private static final double SAMPLE_SECONDS = 0.15;

  /** What a core gets through in a second, where no proxy has run a plan yet. */
  private static final double BYTES_PER_CORE_SECOND = 25e6;

  @Override
  public boolean knows(SourceVertex source) {
    return source.source().urn().equals(NdpUrns.SOURCE);
  }

  @Override
  public Map<String, PushdownCosts> costs(List<Candidate> candidates, PassContext context) {
    ClassLoader classLoader = ReflectHelpers.findClassLoader();
    List<SampledTable> tables =
        candidates.stream().map(candidate -> SampledTable.of(candidate, classLoader)).toList();
    // All reads of a pipeline have its options.
    StorageAccess access = tables.get(0).spec().access();
    long begin = System.nanoTime();
    // The advisor reads no row of the storage side, and needs no token for that.
    try (TableSamples samples = new TableSamples(access, context)) {
      tables.stream()
          .filter(table -> leastCores(access) > 0)
          .filter(table -> secondsOf(table.bytes(), leastCores(access)) >= SAMPLE_SECONDS)
          .forEach(samples::begin);
      // Proxies compute when they are asked, on cores that what is read may need, too. What has
      // been read needs none of theirs.
      samples.awaitReads();
      long read = System.nanoTime();
      try (StorageSide storage = StorageSide.of(access, PipelineOptionsFactory.create())) {
        List<ProxyStatus> proxies = storage.statuses();
        long asked = System.nanoTime();
        Map<String, PushdownCosts> costs = new HashMap<>();
        List<SampledTable> sampled = new ArrayList<>();
        for (SampledTable table : tables) {
          if (proxies.isEmpty() || storage.proxyOf(table.split()).isEmpty()) {
            costs.put(table.id(), notTried(table, List.of(), context));
          } else if (secondsOf(table.bytes(), proxies) < SAMPLE_SECONDS) {
            costs.put(table.id(), notTried(table, proxies, context));
          } else {
            sampled.add(table);
          }
        }
        costs.putAll(samples.costs(sampled, proxies));
        LOG.debug(
            "tables were read for {} ms, proxies asked for {} ms, and {} of {} tables sampled"
                + " after {} ms",
            (read - begin) / NANOS_PER_MILLISECOND,
            (asked - read) / NANOS_PER_MILLISECOND,
            sampled.size(),
            tables.size(),
            (System.nanoTime() - begin) / NANOS_PER_MILLISECOND);
        return costs;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the tables of a job cannot be sampled", e);
    }
  }

  /** Cores of the storage side before a proxy has said how many it has. */
  private static int leastCores(StorageAccess access) {
    return access.proxies().size();
  }

  private static double secondsOf(long bytes, int cores) {
    return bytes / (cores * BYTES_PER_CORE_SECOND);
  }

  /**
   * How long the storage side takes for all operators, about: the most that is lost when they are
   * pushed and should not have been.
   */
  static double secondsOf(long bytes, List<ProxyStatus> proxies) {
    double bytesPerSecond = 0;
    for (ProxyStatus proxy : proxies) {
      bytesPerSecond +=
          proxy.rates().bytesPerSecond() > 0
              ? proxy.rates().bytesPerSecond()
              : proxy.cores() * BYTES_PER_CORE_SECOND;
    }
    return bytes / bytesPerSecond;
  }

  /** What is known of a table that nothing was tried on: nothing of operators and the network. */
  private static PushdownCosts notTried(
      SampledTable table, List<ProxyStatus> proxies, PassContext context) {
    return new PushdownCosts(
        new PushdownCosts.Splits(table.splits(), (double) table.bytes() / table.splits(), 1),
        List.of(),
        new PushdownCosts.Storage(
            proxies.size(),
            proxies.isEmpty() ? 0 : SourceModel.coresPerNode(proxies),
            SourceModel.drainRate(proxies),
            0),
        new PushdownCosts.Compute(table.computeCores(context), context.slots(), 0),
        0);
  }

  @Override
  public Advice advise(PushdownCosts costs) {
    if (costs.storage().nodes() == 0) {
      return Advice.of(0, "none of --ndpProxies answers for it");
    }
    if (costs.operators().isEmpty()) {
      return Advice.of(
          Integer.MAX_VALUE,
          String.format(
              Locale.ROOT,
              "the storage side is done with %.3f MB sooner than with asking whether that pays",
              costs.splits().count() * costs.splits().bytes() / 1e6));
    }
    JobDecision decision = new SourceModel(costs, costs.operators().size()).decision();
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
