// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Well-typed plans at random: filters, then projections and filters, then perhaps an aggregate.
 * Over columns with the values of {@link RandomValues} nothing overflows.
 */
public final class RandomPlans {

  private final Random random;
  private final RandomExpressions expressions;

  public RandomPlans(Random random) {
    this.random = random;
    this.expressions = new RandomExpressions(random);
  }

  /** A row of one to eight nullable columns. */
  public RowType row() {
    List<Field> fields = new ArrayList<>();
    int count = 1 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      fields.add(Field.nullable("c" + i, type()));
    }
    return new RowType(fields);
  }

  /** A plan over all columns of a table, in another order perhaps, or over some. */
  public RelationalPlan plan(RowType table) {
    List<Field> columns = new ArrayList<>(table.fields());
    Collections.shuffle(columns, random);
    RelationalPlan plan =
        RelationalPlan.of(new RowType(columns.subList(0, 1 + random.nextInt(columns.size()))));
    if (random.nextBoolean()) {
      plan = plan.then(filter(plan.output()));
    }
    if (random.nextBoolean()) {
      plan = plan.then(project(plan.output()));
    }
    if (random.nextInt(4) == 0) {
      plan = plan.then(filter(plan.output()));
    }
    return random.nextBoolean() ? plan.then(aggregate(plan.output())) : plan;
  }

  private Filter filter(RowType row) {
    return new Filter(expressions.of(SimpleType.BOOLEAN, row, 4));
  }

  private Project project(RowType row) {
    List<NamedExpression> columns = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      columns.add(new NamedExpression("p " + i, expressions.ofAnyType(row, 3)));
    }
    return new Project(columns);
  }

  private Aggregate aggregate(RowType row) {
    List<String> keys = new ArrayList<>();
    for (Field field : row.fields()) {
      if (field.type().type() != SimpleType.DOUBLE && random.nextInt(4) == 0) {
        keys.add(field.name());
      }
    }
    List<AggregateCall> calls = new ArrayList<>();
    calls.add(AggregateCall.countRows("rows"));
    for (Field field : row.fields()) {
      AggregateFunction function = oneOf(AggregateFunction.values());
      if (fits(function, field.type().type())) {
        calls.add(
            new AggregateCall(
                function.text() + " of " + field.name(), function, Optional.of(field.name())));
      }
    }
    return Aggregate.complete(keys, calls);
  }

  private static boolean fits(AggregateFunction function, DataType type) {
    return switch (function) {
      case COUNT -> true;
      case SINGLE_VALUE -> false;
      case MIN, MAX -> type != SimpleType.BOOLEAN;
      // A sum has a scale of its own, and 38 digits in all.
      case SUM, AVG -> type.isNumeric() && !(type instanceof DecimalType d && d.scale() > 12);
    };
  }

  private DataType type() {
    if (random.nextInt(4) != 0) {
      return oneOf(SimpleType.values());
    }
    int precision = 5 + random.nextInt(6);
    return new DecimalType(precision, random.nextInt(3));
  }

  private <T> T oneOf(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
