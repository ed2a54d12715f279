// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.protocol.ProxyStatus;
import java.util.List;

/**
 * Decides how many operators the storage side runs on a split, when the split is about to be read:
 * by the model, with what the proxies say of their queues at that moment, and what this process has
 * under way. Of other processes' transfers nothing is known, but that the rest of the job will need
 * the network, too. Immutable.
 *
 * @param costs of the source
 * @param reads what this process has under way
 * @param learns whether the bandwidth was measured, by one stream before the job, so that what the
 *     job itself finds out counts; false when it was given
 */
public record SplitDecider(PushdownCosts costs, ReadsInProgress reads, boolean learns) {

  /**
   * The decision.
   *
   * @param bytes that a task reads of the split when nothing is pushed
   * @param left how many of the source's splits have not begun
   * @param most operators that may be pushed, at least 1
   * @param storage all proxies, as far as they are known
   * @param proxy that would run the plan
   */
  public SplitDecision decide(
      double bytes, int left, int most, List<ProxyStatus> storage, ProxyStatus proxy) {
    SourceModel model = new SourceModel(costs, most);
    return PushdownModel.forSplit(
        model.split(bytes),
        new JobCost(model.meanSplit(), left),
        new SystemLoad(
            model.storage(storage),
            ClusterLoad.ofOwnCores(1, costs.compute().cores(), reads.here(), 0),
            new NetworkLoad(bytesPerSecond(), reads.readings(), reads.bytesLeft()),
            costs.compute().slots()),
        model.storage(List.of(proxy)));
  }

  /** What the readers of this process see of the network, once they do, or what one stream saw. */
  private double bytesPerSecond() {
    double measured = costs.networkBytesPerSecond();
    return learns ? reads.arrivalRate().orElse(measured) : measured;
  }
}
