// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.data.DuckDbTables;
import dev.anemone.evaluation.lab.peer.PySpark;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The queries in Spark SQL, by {@code peers/spark_queries.py}. */
final class SparkQueries {
  private SparkQueries() {}

  /**
   * The command that answers queries.
   *
   * @param before what the command begins with, such as {@code env}
   * @param home for the answers and for what the program is told
   * @param data a directory, or its address
   * @param settings of Spark
   */
  static List<String> command(
      EvaluationDirectory evaluation,
      PySpark spark,
      List<String> before,
      Path home,
      String data,
      TpchComparison.Format format,
      Map<String, String> settings)
      throws IOException {
    Map<String, String> tables =
        List.of(TpchTable.values()).stream()
            .collect(Collectors.toMap(TpchTable::tableName, SparkQueries::columns));
    Map<String, String> queries =
        TpchQuery.ALL.stream().collect(Collectors.toMap(TpchQuery::name, TpchQuery::sql));
    Path task = home.resolve("task.json");
    new ObjectMapper()
        .writeValue(
            task.toFile(),
            Map.of(
                "answers",
                home.toString(),
                "data",
                data,
                "format",
                format.name(),
                "tables",
                tables,
                "queries",
                queries,
                "conf",
                settings));
    return Arguments.of(
        before, spark.interpreter(), evaluation.path().resolve("peers/spark_queries.py"), task);
  }

  private static String columns(TpchTable table) {
    return table.schema().getFields().stream()
        .map(field -> field.getName() + " " + DuckDbTables.type(field))
        .collect(Collectors.joining(", "));
  }
}
