// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.testing.RandomPlans;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RelationalPlanTest {

  private static final Aggregate ALL_FUNCTIONS =
      Aggregate.complete(
          List.of("flag"),
          List.of(
              AggregateCall.countRows("rows"),
              AggregateCall.of("mean", AggregateFunction.AVG, "price"),
              AggregateCall.of("mean id", AggregateFunction.AVG, "id"),
              AggregateCall.of("total", AggregateFunction.SUM, "id"),
              AggregateCall.of("last", AggregateFunction.MAX, "day")));

  @Test
  void aPlanIsTextForPeople() {
    RelationalPlan plan = SamplePlans.q6().then(ALL_FUNCTIONS_OF_NOTHING);
    assertThat(plan.text())
        .isEqualTo(
            """
            scan l_quantity decimal(15,2), l_extendedprice decimal(15,2), \
            l_discount decimal(15,2), l_shipdate date
            filter ((l_shipdate >= date '1994-01-01') \
            and (l_shipdate < date_add(date '1994-01-01', 1 year)) \
            and (l_discount between 0.05:decimal(2,2) and 0.07:decimal(2,2)) \
            and (l_quantity < 24:decimal(2,0)))
            project (l_extendedprice * l_discount) as revenue
            aggregate: sum(revenue) as revenue
            aggregate: count(*) as "how many"\
            """);
  }

  private static final Aggregate ALL_FUNCTIONS_OF_NOTHING =
      Aggregate.complete(List.of(), List.of(AggregateCall.countRows("how many")));

  @Test
  void halvesOfAnAggregateFitTogether() {
    RowType row =
        RowType.of(
            Field.required("flag", SimpleType.STRING),
            Field.required("id", SimpleType.INT32),
            Field.nullable("price", new DecimalType(15, 2)),
            Field.nullable("day", SimpleType.DATE));
    RowType states = ALL_FUNCTIONS.partialHalf().outputOf(row);
    assertThat(states)
        .hasToString(
            "(flag string not null, rows int64 not null, mean$sum decimal(38,2),"
                + " mean$count int64 not null, \"mean id$sum\" decimal(38,0) not null,"
                + " \"mean id$count\" int64 not null, total int64 not null, last date)");
    assertThat(ALL_FUNCTIONS.finalHalf().outputOf(states)).isEqualTo(ALL_FUNCTIONS.outputOf(row));
    assertThat(ALL_FUNCTIONS.outputOf(row))
        .hasToString(
            "(flag string not null, rows int64 not null, mean decimal(38,6),"
                + " \"mean id\" decimal(38,6) not null, total int64 not null, last date)");
  }

  @Property(tries = 300)
  void halvesGiveTheTypesOfTheWhole(@ForAll long seed) {
    RandomPlans plans = new RandomPlans(new Random(seed));
    RelationalPlan plan = plans.plan(plans.row());
    List<RowType> rows = plan.rowTypes();
    for (int i = 0; i < plan.operators().size(); i++) {
      if (plan.operators().get(i) instanceof Aggregate aggregate) {
        RowType states = aggregate.partialHalf().outputOf(rows.get(i));
        assertThat(aggregate.finalHalf().outputOf(states)).isEqualTo(rows.get(i + 1));
      }
    }
  }

  @Test
  void anErrorSaysWhichOperator() {
    RelationalPlan plan = SamplePlans.q6();
    assertThatThrownBy(() -> plan.then(new Filter(new Expression.Column("l_tax"))))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessage("operator 4 (filter): there is no column l_tax; there are revenue");
    assertThatThrownBy(
            () ->
                plan.then(
                    new Project(
                        List.of(
                            NamedExpression.column("revenue"), NamedExpression.column("revenue")))))
        .hasMessageContaining("two columns revenue");
    assertThatThrownBy(() -> plan.then(new Project(List.of())))
        .hasMessageContaining("a row has 0 columns");
  }

  @Test
  void aggregatesAreChecked() {
    RowType row =
        RowType.of(
            Field.nullable("ratio", SimpleType.DOUBLE), Field.nullable("name", SimpleType.STRING));
    assertThatThrownBy(() -> Aggregate.complete(List.of("ratio"), List.of()).outputOf(row))
        .hasMessageContaining("groups by the double ratio");
    assertThatThrownBy(() -> sum("name").outputOf(row)).hasMessageContaining("a number is needed");
    assertThatThrownBy(() -> sum("ratio").finalHalf().outputOf(row))
        .hasMessageContaining("no column result");
    assertThatThrownBy(
            () ->
                sum("ratio")
                    .finalHalf()
                    .outputOf(RowType.of(Field.nullable("result", new DecimalType(10, 2)))))
        .hasMessageContaining("a partial aggregate would have a decimal(38,2) there");
    assertThatThrownBy(() -> sum("ratio").finalHalf().partialHalf())
        .isInstanceOf(IllegalStateException.class);
  }

  private static Aggregate sum(String column) {
    return Aggregate.complete(
        List.of(), List.of(AggregateCall.of("result", AggregateFunction.SUM, column)));
  }
}
