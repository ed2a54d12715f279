package dev.anemone.beam.ndp;

import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.cost.ClusterLoad;
import dev.anemone.ndp.cost.JobCost;
import dev.anemone.ndp.cost.NetworkLoad;
import dev.anemone.ndp.cost.PushdownModel;
import dev.anemone.ndp.cost.SplitDecision;
import dev.anemone.ndp.cost.SystemLoad;
import dev.anemone.ndp.protocol.ProxyStatus;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by the model, with what the proxies say of their queues at that moment. How many splits
 * of the job have not begun follows from the task's index, as tasks begin in their order; of other
 * processes' transfers nothing is known, but that the rest of the job will need the network, too.
 */
final class NearDataChoice implements PushdownChoice {

  private static final Logger LOG = LoggerFactory.getLogger(NearDataChoice.class);

  private final PushdownCosts costs;
  private final StorageSide storage;
  private final double left;

  /**
   * A choice for one task.
   *
   * @param left the part of the job's splits, from 0 to 1, that have not begun
   */
  NearDataChoice(PushdownCosts costs, StorageSide storage, double left) {
    this.costs = costs;
    this.storage = storage;
    this.left = left;
  }

  @Override
  public int operators(FileSplit split, StorageProxy proxy, int most) {
    Optional<ProxyStatus> node = proxy.status();
    List<ProxyStatus> all = storage.statuses();
    if (node.isEmpty() || all.isEmpty()) {
      return 0;
    }
    NearDataModel model = new NearDataModel(costs, most);
    // This split's reader is among them.
    int others = Math.max(0, storage.readers() - 1);
    SplitDecision decision =
        PushdownModel.forSplit(
            model.split(split.length() * costs.readShare()),
            new JobCost(model.meanSplit(), (int) Math.round(left * costs.splits())),
            new SystemLoad(
                model.storage(all),
                ClusterLoad.ofOwnCores(1, costs.computeCores(), others, 0),
                NetworkLoad.ofTransfers(costs.networkBytesPerSecond(), others)),
            model.storage(List.of(node.get())));
    LOG.debug("{} operators of {} are pushed: {}", decision.pushed(), split, decision);
    return decision.pushed();
  }
}
