// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;

/** Whether a plan is one for a table. */
final class PlanCheck {

  private PlanCheck() {}

  /**
   * Checks that the table has the columns of the plan's scan.
   *
   * @throws InvalidPlanException when one is missing or of another type
   */
  static void check(RelationalPlan plan, RowType table) {
    for (Field field : plan.scan().fields()) {
      DataType declared;
      try {
        declared = table.field(field.name()).type().type();
      } catch (InvalidPlanException e) {
        throw new InvalidPlanException("the plan reads another table: " + e.getMessage(), e);
      }
      if (!declared.equals(field.type().type())) {
        throw new InvalidPlanException(
            "the plan reads column "
                + field.name()
                + " as "
                + field.type().type()
                + ", and the table has it as "
                + declared);
      }
    }
  }
}
