// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.RowType;

/**
 * The SQL of a relation.
 *
 * @param number in the names of its columns
 * @param row their types
 */
record RelationSql(String sql, int number, RowType row) {
  int width() {
    return row.fields().size();
  }

  String column(int index) {
    return PlanSql.column(number, index);
  }

  String column(String name) {
    return column(row.indexOf(name).orElseThrow());
  }

  ExpressionSql expressions() {
    return new ExpressionSql(row, this::column);
  }
}
