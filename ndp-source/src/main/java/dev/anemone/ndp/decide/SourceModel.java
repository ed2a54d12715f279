// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.protocol.ProxyStatus;
import java.util.List;

/** What is known of a source and of proxies, in the words of the cost model. Immutable. */
public final class SourceModel {

  /** A proxy gets at least this part of its cores done, however much it waits. */
  private static final double LEAST_DRAIN = 0.001;

  /** What is left of plans that run, on average. */
  private static final double HALF_DONE = 0.5;

  private final PushdownCosts costs;
  private final List<OperatorCost> operators;

  /**
   * The first operators of a source. Those behind them are the compute side's in any case, so that
   * they make no difference.
   *
   * @param most how many of them may be pushed
   */
  public SourceModel(PushdownCosts costs, int most) {
    this.costs = costs;
    this.operators =
        costs.operators().subList(0, Math.min(most, costs.operators().size())).stream()
            .map(
                operator ->
                    new OperatorCost(
                        operator.name(),
                        operator.selectivity(),
                        operator.storageSecondsPerByte(),
                        operator.computeSecondsPerByte()))
            .toList();
  }

  public SplitCost meanSplit() {
    return split(costs.splits().bytes());
  }

  /**
   * A split.
   *
   * @param bytes that a task reads of it when nothing is pushed
   */
  public SplitCost split(double bytes) {
    // An engine that runs later operators on this side runs in any case.
    boolean endsThere = operators.size() == costs.operators().size();
    return new SplitCost(
        bytes,
        operators,
        new StartCost(
            costs.storage().startSeconds(), endsThere ? costs.compute().startSeconds() : 0));
  }

  /**
   * The decision about the job before it starts. Queues are left out: those of that moment have
   * gone by when most splits are read, and each of these looks at its own.
   */
  public JobDecision decision() {
    return PushdownModel.forJob(
        new JobCost(meanSplit(), costs.splits().count()),
        new SystemLoad(
            new ClusterLoad(
                costs.storage().nodes(),
                costs.storage().coresPerNode(),
                0,
                0,
                costs.storage().drainRate()),
            ClusterLoad.ofOwnCores(1, costs.compute().cores(), 0, 0),
            new NetworkLoad(costs.networkBytesPerSecond(), 0, 0),
            costs.compute().slots()));
  }

  /** The storage side, or one node of it, with its queues. */
  public ClusterLoad storage(List<ProxyStatus> proxies) {
    int tasks = 0;
    double work = 0;
    for (ProxyStatus proxy : proxies) {
      tasks += proxy.plans().running() + proxy.plans().queued();
      work += (HALF_DONE * proxy.plans().running() + proxy.plans().queued()) * workOfPlan(proxy);
    }
    return new ClusterLoad(proxies.size(), coresPerNode(proxies), tasks, work, drainRate(proxies));
  }

  /** Core-seconds of a plan there; where none has run, what a split of this source takes. */
  private double workOfPlan(ProxyStatus proxy) {
    return proxy.rates().plansPerSecond() > 0
        ? proxy.rates().coreSecondsPerSecond() / proxy.rates().plansPerSecond()
        : meanSplit().storageWork(operators.size());
  }

  /** The mean, at least 1. */
  public static int coresPerNode(List<ProxyStatus> proxies) {
    return (int)
        Math.max(1, Math.round(proxies.stream().mapToInt(ProxyStatus::cores).average().orElse(1)));
  }

  /** Core-seconds of work that proxies get done in a second while none is idle. */
  public static double drainRate(List<ProxyStatus> proxies) {
    return proxies.stream()
        .mapToDouble(
            proxy -> Math.max(LEAST_DRAIN * proxy.cores(), proxy.rates().coreSecondsPerSecond()))
        .sum();
  }
}
