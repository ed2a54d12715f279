// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchSkew;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.values.Row;

/** The queries in Beam SQL on NemoRunner, over tables of {@code TYPE ndp}. */
final class NemoQueries {
  private NemoQueries() {}

  /** Arguments: directory of answers, options of Beam in one argument each, numbers of queries. */
  public static void main(String[] args) throws Exception {
    List<String> rest = Arrays.asList(args).subList(1, args.length);
    String[] options = rest.stream().filter(arg -> arg.startsWith("--")).toArray(String[]::new);
    Tpch.Options common = Tpch.options(options);
    FileSystems.setDefaultPipelineOptions(common);
    TpchDataSet tables = TpchDataSet.open(common.getData(), common.getScale(), TpchSkew.NONE);
    QueryProgram.Engine engine =
        query -> {
          // A pipeline changes its options, so that each has its own.
          QueryResult result = Tpch.run(query, tables, Tpch.options(options));
          List<List<Object>> rows = new ArrayList<>();
          for (Row row : result.rows()) {
            rows.add(row.getValues());
          }
          return rows;
        };
    new QueryProgram(engine, Path.of(args[0]))
        .run(rest.stream().filter(arg -> !arg.startsWith("--")).toList());
  }
}
