// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.model.ndpsimulator.Scenarios.Clusters;
import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.JobCost;
import dev.anemone.ndp.decide.PushdownModel;
import dev.anemone.ndp.decide.SplitCost;
import dev.anemone.ndp.decide.SystemLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Decides how many operators of a split run on the storage side, when its task begins. */
interface PushdownPolicy {
  /** Decides about a split of a query, given by its index in the workload. */
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

  static PushdownPolicy none() {
    return (query, split, moment) -> 0;
  }

  static PushdownPolicy full() {
    return (query, split, moment) -> split.operators().size();
  }

  /** The same number for all splits of a query, given for each query. */
  static PushdownPolicy constant(List<Integer> pushed) {
    List<Integer> numbers = List.copyOf(pushed);
    return (query, split, moment) -> numbers.get(query);
  }

  /** What a task can know when it has its core: without itself, and with its split's node. */
  record Moment(JobCost remaining, SystemLoad load, ClusterLoad node) {}

  /** The best fixed choice, the same for all queries of a name, found by trying them all. */
  record Oracle(List<Integer> pushed, double seconds) {
    static Oracle of(Clusters clusters, List<Query> queries) {
      List<String> names = queries.stream().map(Query::name).distinct().toList();
      int[] choices = new int[names.size()];
      int combinations = 1;
      for (Query query : queries) {
        choices[names.indexOf(query.name())] = query.operators().size() + 1;
      }
      for (int choice : choices) {
        combinations *= choice;
      }
      Oracle best = null;
      for (int combination = 0; combination < combinations; combination++) {
        List<Integer> pushed = ofQueries(queries, names, choices, combination);
        double seconds =
            Simulation.run(clusters, queries, PushdownPolicy.constant(pushed)).meanSeconds();
        if (best == null || seconds < best.seconds()) {
          best = new Oracle(pushed, seconds);
        }
      }
      return best;
    }

    /** The digits of a combination, where a name's digit has as many values as choices. */
    private static List<Integer> ofQueries(
        List<Query> queries, List<String> names, int[] choices, int combination) {
      int[] ofName = new int[choices.length];
      int rest = combination;
      for (int name = 0; name < choices.length; name++) {
        ofName[name] = rest % choices[name];
        rest /= choices[name];
      }
      List<Integer> pushed = new ArrayList<>();
      for (Query query : queries) {
        pushed.add(ofName[names.indexOf(query.name())]);
      }
      return pushed;
    }
  }
}
