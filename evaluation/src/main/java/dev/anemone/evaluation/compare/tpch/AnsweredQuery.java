// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.data.Answer;
import dev.anemone.evaluation.lab.peer.InterleavedRuns;
import dev.anemone.examples.tpch.TpchQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A query; all its runs must give the answer of the first one. Not thread-safe. */
final class AnsweredQuery implements InterleavedRuns.Work {
  private final TpchQuery query;
  private final List<String> dataArguments;
  private Answer answer;

  /**
   * @param dataArguments which data is queried
   */
  AnsweredQuery(TpchQuery query, List<String> dataArguments) {
    this.query = query;
    this.dataArguments = dataArguments;
  }

  @Override
  public String prefix() {
    return query.label() + "-";
  }

  @Override
  public List<String> arguments(Path work) {
    return Stream.concat(
            dataArguments.stream(), Stream.of("--query=" + query.number(), "--output=" + work))
        .toList();
  }

  @Override
  public Optional<String> problem(Path work) throws IOException {
    Answer found = Answer.read(work.resolve(query.label() + ".csv"));
    if (answer == null) {
      answer = found;
    }
    return found.isSameAs(answer)
        ? Optional.empty()
        : Optional.of("another answer than the first run of the query: " + found.lines());
  }
}
