// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.data.DuckDbTables;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** The tables as Parquet, beside the text that they are made of. */
final class ParquetTables {
  private ParquetTables() {}

  /** Where they are; they are made when they are first needed. */
  static Path open(TpchOptions data, EvaluationDirectory evaluation)
      throws IOException, SQLException {
    Path text = data.directory(evaluation);
    Path place = text.resolveSibling(text.getFileName() + "-parquet");
    if (!Files.exists(place)) {
      data.open(evaluation);
      Path unfinished = place.resolveSibling(place.getFileName() + ".unfinished");
      DuckDbTables.writeParquet(text, unfinished);
      Files.move(unfinished, place);
    }
    return place;
  }
}
