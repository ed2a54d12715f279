// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.NdpSpec.PlanTexts;
import dev.anemone.beam.ndp.TableFormat;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.Table;
import dev.anemone.ndp.format.FileFormat;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * A table that a query reads: files of this machine.
 *
 * @param files their paths, at least one
 * @param formatText their format, see {@link TableFormat}
 * @param columnsJson all columns of the table, as a plan without operators
 */
public record QueryTable(List<String> files, String formatText, String columnsJson)
    implements Serializable {

  public QueryTable {
    files = List.copyOf(files);
  }

  /** A table of these files. */
  public static QueryTable of(List<String> files, FileFormat format, RowType columns) {
    return new QueryTable(
        files, TableFormat.text(format), PlanTexts.write(new RelationalPlan(columns, List.of())));
  }

  /** The files for the engine. */
  List<Table> tables() {
    RowType columns = PlanTexts.read(columnsJson).scan();
    FileFormat format = TableFormat.parse(formatText);
    return files.stream().map(file -> new Table(Path.of(file), format, columns)).toList();
  }
}
