// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.model.ndpsimulator.Scenarios.Clusters;
import java.util.ArrayList;
import java.util.List;

/**
 * The best that a fixed choice can do: the same number of operators pushed for all splits of a
 * query, and for all queries of one name. It tries them all.
 *
 * @param pushed for each query
 */
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

  /**
   * The digits of a combination, in a system where each name's digit has as many values as it has
   * choices.
   */
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
