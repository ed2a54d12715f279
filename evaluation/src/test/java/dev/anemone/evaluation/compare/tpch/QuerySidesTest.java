// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.data.Answer;
import dev.anemone.evaluation.lab.data.DuckDbTables;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.process.JarredClassPath;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class QuerySidesTest {
  private static final double SCALE = 0.001;
  private static final TpchQuery QUERY = TpchQuery.byNumber(6);

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void warmProcessesAndNewOnesGiveTheSameRows() throws Exception {
    QuerySides sides = sides(TpchComparison.Format.parquet);
    Answer[] answers = new Answer[2];
    for (QuerySide side : List.of(sides.duckDb(), sides.nemo())) {
      try (LineProcess process = side.start()) {
        assertThat(side.run(process, QUERY)).isPositive();
        answers[0] = side.answer(QUERY);
        assertThat(answers[0].lines()).hasSize(2);
        assertThat(answers[1] == null || answers[0].isSameAs(answers[1])).isTrue();
      }
      Files.delete(directory.resolve(side.directory()).resolve("q06.csv"));
      assertThat(side.once(QUERY).cost().wallSeconds()).isPositive();
      answers[1] = side.answer(QUERY);
      assertThat(answers[1].isSameAs(answers[0])).isTrue();
    }
    assertThat(directory.resolve("nemo/classes.jsa")).isNotEmptyFile();
  }

  @Test
  void aSideThatFailsSaysWhy() throws Exception {
    QuerySide side = sides(TpchComparison.Format.text).duckDb();
    try (LineProcess process = side.start()) {
      Files.delete(directory.resolve("data/lineitem.tbl"));
      assertThatThrownBy(() -> side.run(process, QUERY))
          .isInstanceOf(ExperimentFailure.class)
          .hasMessageContaining("DuckDB, query 6: failed")
          .hasMessageContaining("lineitem.tbl");
    }
  }

  private QuerySides sides(TpchComparison.Format format) throws Exception {
    TpchDataSet text = TpchDataSet.open(directory.resolve("data"), SCALE);
    TpchDataSet data = text;
    if (format == TpchComparison.Format.parquet) {
      DuckDbTables.writeParquet(Path.of(text.directory()), directory.resolve("parquet"));
      data = TpchDataSet.open(directory.resolve("parquet"), SCALE);
    }
    return new QuerySides(
        new EvaluationDirectory(directory),
        directory,
        JarredClassPath.of(directory, System.getProperty("java.class.path")),
        data,
        SCALE,
        format,
        new ProgramOptions("512m", 180));
  }
}
