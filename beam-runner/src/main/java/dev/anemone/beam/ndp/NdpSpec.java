// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.json.PlanJson;
import dev.anemone.ndp.format.FileFormat;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What all splits of a read have in common: the payload of its source vertex. Texts, because what
 * they stand for is not serializable. Without the name of the step, so that equal reads are equal.
 *
 * @param formatText the files' format, see {@link TableFormat}
 * @param columnsJson all columns of the table, as a plan without operators
 * @param scanJson the columns that are read, as a plan without operators
 * @param access to the storage side
 * @param sharedProcessors processors that all tasks share; 0 where each has its own, as on YARN
 */
public record NdpSpec(
    String formatText,
    String columnsJson,
    String scanJson,
    StorageAccess access,
    int sharedProcessors)
    implements Serializable {

  public static NdpSpec of(
      FileFormat format,
      RowType columns,
      RowType scan,
      StorageAccess access,
      int sharedProcessors) {
    return new NdpSpec(
        TableFormat.text(format), json(columns), json(scan), access, sharedProcessors);
  }

  public FileFormat format() {
    return TableFormat.parse(formatText);
  }

  public RowType columns() {
    return rows(columnsJson);
  }

  public RowType scan() {
    return rows(scanJson);
  }

  private static String json(RowType rows) {
    return PlanTexts.write(new RelationalPlan(rows, List.of()));
  }

  private static RowType rows(String json) {
    return PlanTexts.read(json).scan();
  }

  /** Plans as texts of JSON, which are serializable. */
  public static final class PlanTexts {

    private PlanTexts() {}

    /** The text of a plan. */
    public static String write(RelationalPlan plan) {
      return new String(PlanJson.write(plan), StandardCharsets.UTF_8);
    }

    /** The plan of a text. */
    public static RelationalPlan read(String json) {
      return PlanJson.readPlan(json.getBytes(StandardCharsets.UTF_8));
    }
  }
}
