// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.model.ndpsimulator.Scenarios.Clusters;
import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.JobCost;
import dev.anemone.ndp.decide.PushdownModel;
import dev.anemone.ndp.decide.SplitCost;
import dev.anemone.ndp.decide.SystemLoad;
import java.util.List;
import java.util.function.Supplier;

/** Decides how many operators of a split run on the storage side, when its task begins. */
interface PushdownPolicy {
  /**
   * Decides about a split.
   *
   * @param query its index in the workload
   * @param split what is known of it
   * @param moment the state, for those who ask
   */
  int pushed(int query, SplitCost split, Supplier<Moment> moment);

  /** The cost model, asked for every split. */
  static PushdownPolicy nearData() {
    return (query, split, moment) -> {
      Moment now = moment.get();
      return PushdownModel.forSplit(split, now.remaining(), now.load(), now.node()).pushed();
    };
  }

  /** The cost model, asked once for each query before it starts, as if it were alone. */
  static PushdownPolicy planned(Clusters clusters, List<Query> queries) {
    return constant(
        queries.stream()
            .map(query -> new JobCost(query.meanSplit(), query.splits().size()))
            .map(job -> PushdownModel.forJob(job, clusters.idle()).pushed())
            .toList());
  }

  /** Everything on the compute side. */
  static PushdownPolicy none() {
    return (query, split, moment) -> 0;
  }

  /** All that can be pushed. */
  static PushdownPolicy full() {
    return (query, split, moment) -> split.operators().size();
  }

  /**
   * The same number for all splits of a query.
   *
   * @param pushed a number for each query
   */
  static PushdownPolicy constant(List<Integer> pushed) {
    List<Integer> numbers = List.copyOf(pushed);
    return (query, split, moment) -> numbers.get(query);
  }

  /**
   * What a task can know when it has got its core.
   *
   * @param remaining of its job: the splits whose tasks have not begun
   * @param load of the system, without the task
   * @param node that holds its split
   */
  record Moment(JobCost remaining, SystemLoad load, ClusterLoad node) {}
}
