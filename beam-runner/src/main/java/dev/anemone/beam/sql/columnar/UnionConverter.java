// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.SqlRows;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.List;

/** Says unions in the relational IR, whose inputs have the same digits in each decimal column. */
final class UnionConverter {

  private UnionConverter() {}

  /** The union of some relations. */
  static Relation relation(List<Relation> inputs) {
    List<DecimalType> digits = commonDigits(inputs);
    List<Relation> same = new ArrayList<>();
    for (Relation input : inputs) {
      same.add(withDigits(input, digits));
    }
    return new Relation.Union(same);
  }

  /** The decimal type that holds the values of a column of all inputs; null for other columns. */
  private static List<DecimalType> commonDigits(List<Relation> inputs) {
    List<DecimalType> common = new ArrayList<>();
    for (int i = 0; i < inputs.get(0).row().fields().size(); i++) {
      DecimalType widest = null;
      for (Relation input : inputs) {
        if (input.row().fields().get(i).type().type() instanceof DecimalType type) {
          widest = widest == null ? type : SqlRows.wider(widest, type);
        }
      }
      common.add(widest);
    }
    return common;
  }

  private static Relation withDigits(Relation relation, List<DecimalType> digits) {
    List<NamedExpression> columns = new ArrayList<>();
    boolean changes = false;
    for (Field field : relation.row().fields()) {
      DecimalType type = digits.get(columns.size());
      Expression column = new Expression.Column(field.name());
      boolean cast = type != null && !field.type().type().equals(type);
      changes |= cast;
      columns.add(
          new NamedExpression(field.name(), cast ? new Expression.Cast(column, type) : column));
    }
    return changes ? Relation.Step.of(new RelationalOperator.Project(columns), relation) : relation;
  }
}
