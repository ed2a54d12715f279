// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.neardata;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.data.Answer;
import dev.anemone.evaluation.lab.data.DuckDbTables;
import dev.anemone.examples.tpch.TpchQuery;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What DuckDB answers on the same files. Used by one thread. */
record ReferenceAnswers(Map<Integer, Answer> byQuery) {
  static ReferenceAnswers of(Path data, List<Integer> queries) {
    Map<Integer, Answer> answers = new HashMap<>();
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      DuckDbTables.create(statement, data);
      for (int number : queries) {
        TpchQuery query = TpchQuery.parse(Integer.toString(number)).get(0);
        try (ResultSet rows = statement.executeQuery(query.sql())) {
          answers.put(number, answer(rows));
        }
      }
    } catch (SQLException e) {
      throw new ExperimentFailure(e, "DuckDB does not answer on %s: %s", data, e.getMessage());
    }
    return new ReferenceAnswers(answers);
  }

  private static Answer answer(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnLabel(i));
    }
    List<String> lines = new ArrayList<>(List.of(String.join(",", names)));
    for (List<Object> row : DuckDbTables.rows(rows)) {
      lines.add(row.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    return new Answer(lines);
  }

  /** Fails if an answer has other rows, in any order, numbers to a relative error of 1e-6. */
  void require(int query, List<String> lines, String run) {
    Answer right = byQuery.get(query);
    if (!new Answer(lines).isSameAs(right)) {
      throw new ExperimentFailure(
          "Q%d has a wrong answer with %s, so its figures mean nothing: %s, where DuckDB has %s",
          query, run, lines, right.lines());
    }
  }
}
