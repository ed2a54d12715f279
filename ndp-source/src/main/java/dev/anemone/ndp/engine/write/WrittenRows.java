// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.write;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.NdpEngineException;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Rows on their way into a table, column by column. Decimals are rounded half up to the digits
 * behind the point that the table has.
 *
 * @param table its name, for messages
 * @param given the columns of the batches
 * @param wanted those of the table
 */
public record WrittenRows(String table, RowType given, RowType wanted) {

  /**
   * Rows.
   *
   * @throws IllegalArgumentException when the table cannot hold such columns
   */
  public WrittenRows {
    if (!fit(given, wanted)) {
      throw new IllegalArgumentException(
          "table " + table + " has the columns " + wanted + ", and " + given + " are written");
    }
  }

  /** Whether rows are of the types that a table has; their decimals may have other digits. */
  public static boolean fit(RowType given, RowType wanted) {
    if (given.fields().size() != wanted.fields().size()) {
      return false;
    }
    for (int i = 0; i < given.fields().size(); i++) {
      DataType one = given.fields().get(i).type().type();
      DataType other = wanted.fields().get(i).type().type();
      if (!one.equals(other) && !(one instanceof DecimalType && other instanceof DecimalType)) {
        return false;
      }
    }
    return true;
  }

  /** What values of a column must be, for a message about one that is not. */
  String expectation(int column) {
    Field field = wanted.fields().get(column);
    return "column " + field.name() + " of table " + table + " is " + field.type().type();
  }

  /**
   * Refuses a batch that has no value where the table must have one.
   *
   * @throws NdpEngineException saying which column
   */
  void requireValues(VectorSchemaRoot batch) {
    for (int i = 0; i < wanted.fields().size(); i++) {
      if (!wanted.fields().get(i).type().nullable() && batch.getVector(i).getNullCount() > 0) {
        throw new NdpEngineException(
            "column "
                + wanted.fields().get(i).name()
                + " of table "
                + table
                + " is NOT NULL, and a row has no value for it");
      }
    }
  }
}
