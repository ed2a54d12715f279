// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.data.Answer;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchTable;
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
import java.util.stream.Stream;
import org.apache.beam.sdk.schemas.Schema.Field;

/** What DuckDB answers on the same files. Used by one thread. */
record ReferenceAnswers(Map<Integer, Answer> byQuery) {
  static ReferenceAnswers of(Path data, List<Integer> queries) {
    Map<Integer, Answer> answers = new HashMap<>();
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      for (TpchTable table : TpchTable.values()) {
        statement.execute(view(table, data));
      }
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

  private static String view(TpchTable table, Path data) {
    // After the last column there is a separator, too.
    String columns =
        Stream.concat(
                table.schema().getFields().stream().map(ReferenceAnswers::column),
                Stream.of("'line_end': 'VARCHAR'"))
            .collect(Collectors.joining(", "));
    return """
        CREATE VIEW %s AS SELECT * EXCLUDE (line_end) FROM read_csv('%s',
        delim = '|', header = false, quote = '', escape = '', columns = {%s})"""
        .formatted(
            table.tableName(),
            data.resolve(table.tableName() + ".tbl*").toString().replace("'", "''"),
            columns);
  }

  private static String column(Field field) {
    String type =
        switch (field.getType().getTypeName()) {
          case INT32 -> "INTEGER";
          case INT64 -> "BIGINT";
          case DECIMAL -> "DECIMAL(15,2)";
          case LOGICAL_TYPE -> "DATE";
          default -> "VARCHAR";
        };
    return "'" + field.getName() + "': '" + type + "'";
  }

  private static Answer answer(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnLabel(i));
    }
    List<String> lines = new ArrayList<>(List.of(String.join(",", names)));
    while (rows.next()) {
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= names.size(); i++) {
        values.add(String.valueOf(rows.getObject(i)));
      }
      lines.add(String.join(",", values));
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
