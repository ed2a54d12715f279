// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ndp.decide.PushdownEstimate;
import dev.anemone.ndp.decide.SplitDecision;
import dev.anemone.runtime.event.PushdownDecided;
import dev.anemone.runtime.event.PushdownDecided.Prediction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where the operators of a split ran that could be pushed.
 *
 * @param proxy that ran some of them; empty when the task did all
 * @param pushed how many it ran
 * @param refusal why no proxy ran any, where that was not decided; empty else
 * @param model the numbers behind the decision; empty when all were to be pushed
 * @param millis how long reading and the operators took, without those who took the rows
 */
record SplitOutcome(
    Optional<String> proxy,
    int pushed,
    Optional<String> refusal,
    Optional<SplitDecision> model,
    long millis) {

  /** The refusal where nobody could be asked. */
  static final String NOBODY = "no proxy is beside the data";

  private static final double MILLIS = 1000;

  /** The event that tells of it. */
  PushdownDecided event(String vertex, FileSplit split, List<RelationalOperator> pushable) {
    return new PushdownDecided(
        System.currentTimeMillis(),
        vertex,
        split.toString(),
        proxy,
        pushable.subList(0, pushed).stream().map(RelationalOperator::text).toList(),
        model.map(decision -> prediction(decision.estimates(), best(decision))),
        model
            .filter(decision -> !decision.jobSeconds().isEmpty())
            .map(
                decision ->
                    new Prediction(
                        millis(decision.jobSeconds().get(best(decision))),
                        millis(decision.jobSeconds().get(0)))),
        Optional.of(millis),
        refusal.or(() -> proxy.isPresent() ? Optional.empty() : Optional.of(reason())));
  }

  private String reason() {
    return model.isEmpty() ? "nobody could say how its proxy is" : "pushing was not worth it";
  }

  /** How many operators were to be pushed; had it been none, how many would be the best. */
  private static int best(SplitDecision decision) {
    return decision.pushed() > 0
        ? decision.pushed()
        : decision.estimates().stream()
            .skip(1)
            .min(Comparator.comparingDouble(PushdownEstimate::seconds))
            .map(PushdownEstimate::pushed)
            .orElse(0);
  }

  private static Prediction prediction(List<PushdownEstimate> estimates, int pushed) {
    return new Prediction(
        millis(estimates.get(pushed).seconds()), millis(estimates.get(0).seconds()));
  }

  private static long millis(double seconds) {
    return Math.round(MILLIS * seconds);
  }
}
