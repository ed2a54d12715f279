// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.data.Answer;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.examples.tpch.TpchQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A system that answers queries.
 *
 * <p>Its program takes numbers of queries as last arguments, runs them and ends. Without them it
 * says {@code ready}, and for each number that it reads {@code done NUMBER SECONDS}, or {@code done
 * failed REASON}. Answers are in files of its directory, see {@link #answer}.
 *
 * @param command without numbers
 */
record QuerySide(String name, List<String> command, Path directory, Duration deadline) {
  /** Spark gives an average six digits behind the point, of discounts as small as 0.05, too. */
  private static final double RELATIVE_ERROR = 2e-5;

  /** The order of sides in a round, by index: another one is the first in each. */
  static List<Integer> inTurn(int sides, int round) {
    List<Integer> order = new ArrayList<>();
    for (int side = 0; side < sides; side++) {
      order.add(side);
    }
    Collections.rotate(order, -round);
    return order;
  }

  /** Starts it, and waits until it has its tables. */
  LineProcess start() throws IOException, InterruptedException {
    Files.createDirectories(directory);
    LineProcess process = LineProcess.start(command, Map.of(), log("warm"));
    process.await("ready", deadline);
    return process;
  }

  /** Runs a query in a process that is started, and returns the seconds that it took there. */
  double run(LineProcess process, TpchQuery query) throws IOException, InterruptedException {
    process.say(query.name());
    List<String> said = process.await("done", deadline);
    if (!said.get(0).equals(query.name())) {
      throw new ExperimentFailure(
          "%s, query %s: %s. Its log is %s.",
          name, query.name(), String.join(" ", said), log("warm"));
    }
    return Double.parseDouble(said.get(1));
  }

  /** Runs a query in a process of its own. */
  ProcessFigures once(TpchQuery query) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    return MeasuredProcess.run(
            Arguments.of(command, query.name()), directory, log(query.label()), deadline)
        .requireSuccess(name + " on query " + query.name());
  }

  /** What it answered last. */
  Answer answer(TpchQuery query) throws IOException {
    return Answer.read(directory.resolve(query.label() + ".csv"));
  }

  /** Fails if its last answers are not those of another side, and shows both. */
  void requireAnswersOf(QuerySide judge, List<TpchQuery> queries) throws IOException {
    for (TpchQuery query : queries) {
      Answer right = judge.answer(query);
      Answer found = answer(query);
      if (!found.isSameAs(right, RELATIVE_ERROR)) {
        throw new ExperimentFailure(
            "Query %s: %s has other rows than %s: %s, %s",
            query.name(), name, judge.name, found.lines(), right.lines());
      }
    }
  }

  private Path log(String run) {
    return directory.resolve(run + ".log");
  }
}
