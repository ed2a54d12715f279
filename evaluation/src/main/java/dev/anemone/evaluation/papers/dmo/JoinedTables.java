// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.compare.skewq10.QueryProgram;
import dev.anemone.evaluation.compare.skewq10.QueryProgram.QueryReport;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.Workload;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchSkew;
import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A query of joins that are all shuffled, in rows. */
final class JoinedTables implements Workload {
  /** Orders with their customers and items: most of what is read is shuffled. */
  private static final int QUERY = 10;

  private static final List<TpchTable> TABLES =
      List.of(TpchTable.CUSTOMER, TpchTable.ORDERS, TpchTable.LINEITEM, TpchTable.NATION);

  private static final int TASKS = 8;

  private final TpchDataSet data;
  private final double scale;
  private final Path report;
  private String answer;

  private JoinedTables(TpchDataSet data, double scale, Path report) {
    this.data = data;
    this.scale = scale;
    this.report = report;
  }

  static JoinedTables of(FigureRun figures, Path report, double scale) throws IOException {
    return new JoinedTables(
        TpchDataSet.open(TpchOptions.directory(figures.evaluation(), scale, TpchSkew.NONE), scale),
        scale,
        report);
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT, "query %d of TPC-H at scale %s, in rows, every join shuffled", QUERY, scale);
  }

  @Override
  public long inputBytes() {
    return TABLES.stream().mapToLong(data::bytes).sum();
  }

  @Override
  public Class<?> program() {
    return QueryProgram.class;
  }

  @Override
  public List<String> arguments() {
    return List.of(
        "--runner=NemoRunner",
        "--query=" + QUERY,
        "--scale=" + scale,
        "--data=" + data.directory(),
        "--columnar=off",
        "--broadcastJoinBytes=0",
        "--parallelism=" + TASKS,
        "--figures=" + report);
  }

  @Override
  public void check(String side) throws IOException {
    String rows = new ObjectMapper().readValue(report.toFile(), QueryReport.class).rows();
    if (answer != null && !rows.equals(answer)) {
      throw new ExperimentFailure(
          "With %s the answer is another one, so its figures mean nothing:%n%sinstead of%n%s",
          side, rows, answer);
    }
    answer = rows;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(report);
  }
}
