// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Expression.DateAdd;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/** Plans of well-known queries. */
public final class SamplePlans {

  private SamplePlans() {}

  /** TPC-H query 6. */
  public static RelationalPlan q6() {
    DecimalType money = new DecimalType(15, 2);
    Literal from = Literal.of(LocalDate.of(1994, 1, 1));
    Column shipped = new Column("l_shipdate");
    return RelationalPlan.of(
        RowType.of(
            Field.nullable("l_quantity", money),
            Field.nullable("l_extendedprice", money),
            Field.nullable("l_discount", money),
            Field.nullable("l_shipdate", SimpleType.DATE)),
        new Filter(
            new Expression.And(
                List.of(
                    new Comparison(Comparison.Relation.GREATER_OR_EQUAL, shipped, from),
                    new Comparison(
                        Comparison.Relation.LESS, shipped, new DateAdd(from, 1, DateAdd.Unit.YEAR)),
                    new Expression.Between(
                        new Column("l_discount"),
                        Literal.of(new BigDecimal("0.05")),
                        Literal.of(new BigDecimal("0.07"))),
                    new Comparison(
                        Comparison.Relation.LESS,
                        new Column("l_quantity"),
                        Literal.of(new BigDecimal("24")))))),
        new Project(
            List.of(
                new NamedExpression(
                    "revenue",
                    new Arithmetic(
                        Arithmetic.Operator.MULTIPLY,
                        new Column("l_extendedprice"),
                        new Column("l_discount"))))),
        Aggregate.complete(
            List.of(), List.of(AggregateCall.of("revenue", AggregateFunction.SUM, "revenue"))));
  }
}
