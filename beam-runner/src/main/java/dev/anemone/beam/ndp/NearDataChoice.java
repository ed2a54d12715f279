package dev.anemone.beam.ndp;

import dev.anemone.beam.ndp.Traffic.Decision;
import dev.anemone.beam.ndp.Traffic.Reading;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.cost.ClusterLoad;
import dev.anemone.ndp.cost.JobCost;
import dev.anemone.ndp.cost.NetworkLoad;
import dev.anemone.ndp.cost.PushdownModel;
import dev.anemone.ndp.cost.SplitDecision;
import dev.anemone.ndp.cost.SystemLoad;
import java.util.List;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by the model, with what the proxies say of their queues at that moment, and what this
 * process has under way. Of other processes' transfers nothing is known, but that the rest of the
 * job will need the network, too.
 */
final class NearDataChoice implements PushdownChoice {

  private static final Logger LOG = LoggerFactory.getLogger(NearDataChoice.class);

  private final PushdownCosts costs;
  private final IntSupplier left;

  /**
   * A choice for one task.
   *
   * @param left says how many of the source's splits have not begun when this one does
   */
  NearDataChoice(PushdownCosts costs, IntSupplier left) {
    this.costs = costs;
    this.left = left;
  }

  @Override
  public Reading begin(FileSplit split, StorageSide storage, StorageProxy proxy, int most) {
    // Not while others wait for the decision: this may take a moment.
    boolean answers = proxy.status().isPresent() && !storage.statuses().isEmpty();
    double raw = split.length() * costs.readShare();
    return answers
        ? storage.traffic().begin(proxy, () -> decide(split, raw, storage, proxy, most))
        : storage.traffic().beginHere(Math.round(raw));
  }

  private Decision decide(
      FileSplit split, double raw, StorageSide storage, StorageProxy proxy, int most) {
    NearDataModel model = new NearDataModel(costs, most);
    Traffic traffic = storage.traffic();
    SplitDecision decision =
        PushdownModel.forSplit(
            model.split(raw),
            new JobCost(model.meanSplit(), left.getAsInt()),
            new SystemLoad(
                model.storage(storage.knownStatuses()),
                ClusterLoad.ofOwnCores(1, costs.computeCores(), traffic.here(), 0),
                new NetworkLoad(
                    costs.networkBytesPerSecond(), traffic.readings(), traffic.bytesLeft()),
                costs.slots()),
            model.storage(List.of(proxy.knownStatus())));
    LOG.debug("{} operators of {} are pushed: {}", decision.pushed(), split, decision);
    return new Decision(
        decision.pushed(), Math.round(decision.estimates().get(decision.pushed()).networkBytes()));
  }
}
