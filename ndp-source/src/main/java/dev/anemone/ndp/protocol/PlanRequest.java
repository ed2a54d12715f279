// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.FileFormat;
import java.util.Objects;

/**
 * What is asked of the storage side. The file is named by the address of the request, as in
 * WebHDFS.
 *
 * @param format how the rows lie in the file
 * @param columns all columns, in the order of the file for CSV; by name for Parquet
 * @param split the part of the file
 * @param plan what to do with its rows
 */
public record PlanRequest(FileFormat format, RowType columns, Split split, RelationalPlan plan) {

  public PlanRequest {
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(columns, "columns");
    Objects.requireNonNull(split, "split");
    Objects.requireNonNull(plan, "plan");
  }
}
