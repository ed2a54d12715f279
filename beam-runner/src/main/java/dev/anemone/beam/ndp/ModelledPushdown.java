// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ndp.decide.ReadsInProgress;
import dev.anemone.ndp.decide.ReadsInProgress.Decision;
import dev.anemone.ndp.decide.ReadsInProgress.Reading;
import dev.anemone.ndp.decide.SplitDecider;
import dev.anemone.ndp.decide.SplitDecision;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the cost model about each split. */
final class ModelledPushdown implements PushdownChoice {

  private static final Logger LOG = LoggerFactory.getLogger(ModelledPushdown.class);

  private final PushdownCosts costs;
  private final IntSupplier left;

  /**
   * A choice for one task.
   *
   * @param left says how many of the source's splits have not begun when this one does
   */
  ModelledPushdown(PushdownCosts costs, IntSupplier left) {
    this.costs = costs;
    this.left = left;
  }

  @Override
  public Reading begin(FileSplit split, StorageSide storage, StorageProxy proxy, int most) {
    // Not while others wait for the decision: this may take a moment.
    boolean answers = proxy.status().isPresent() && !storage.statuses().isEmpty();
    double raw = split.length() * costs.splits().readShare();
    ReadsInProgress reads = storage.reads();
    return answers
        ? reads.begin(proxy, () -> decide(split, raw, storage, proxy, most))
        : reads.beginHere(Math.round(raw));
  }

  private Decision decide(
      FileSplit split, double raw, StorageSide storage, StorageProxy proxy, int most) {
    SplitDecision decision =
        new SplitDecider(costs, storage.reads(), storage.learnsNetwork())
            .decide(raw, left.getAsInt(), most, storage.knownStatuses(), proxy.knownStatus());
    LOG.debug("{} operators of {} are pushed: {}", decision.pushed(), split, decision);
    return new Decision(
        decision.pushed(),
        Math.round(decision.estimates().get(decision.pushed()).networkBytes()),
        Optional.of(decision));
  }
}
