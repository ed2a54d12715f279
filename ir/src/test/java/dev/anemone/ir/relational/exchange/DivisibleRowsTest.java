// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ir.relational.query.WindowArguments;
import dev.anemone.ir.relational.query.WindowFrame;
import dev.anemone.ir.relational.query.WindowFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DivisibleRowsTest {

  private static final Relation ROWS =
      new Relation.Input(
          "rows",
          RowType.of(
              Field.nullable("a", SimpleType.INT64),
              Field.nullable("b", SimpleType.INT64),
              Field.nullable("c", SimpleType.INT64)));

  @Test
  void windowsOfEqualKeysKeepTheseTogether() {
    assertThat(keys(windowed(ROWS, List.of("a", "b"), List.of("b")))).containsExactly("b");
    assertThat(keys(windowed(ROWS, List.of("a"), List.of("b")))).isEmpty();
    assertThat(keys(windowed(ROWS, List.of("a"), List.of()))).isEmpty();
  }

  @Test
  void windowsOfWindowsKeepWhatBothDo() {
    Relation first = windowed(ROWS, List.of("a", "b"));
    assertThat(keys(windowed(first, List.of("b", "c")))).containsExactly("b");
    assertThat(keys(windowed(first, List.of("c")))).isEmpty();
    assertThat(keys(windowed(first, List.of("w30")))).isEmpty();
  }

  @Test
  void keysAreThoseOfTheInput() {
    Relation renamed =
        Relation.Step.of(
            new Project(
                List.of(
                    new NamedExpression("x", new Expression.Column("b")),
                    new NamedExpression(
                        "y",
                        new Expression.Arithmetic(
                            Expression.Arithmetic.Operator.ADD,
                            new Expression.Column("a"),
                            new Expression.Column("c"))))),
            ROWS);
    assertThat(keys(windowed(renamed, List.of("y", "x")))).containsExactly("b");
    assertThat(keys(windowed(renamed, List.of("y")))).isEmpty();
  }

  @Test
  void otherQueriesAreNotDivided() {
    Relation windowed = windowed(ROWS, List.of("a"));
    assertThat(keys(ROWS)).isEmpty();
    assertThat(keys(new Relation.Top(windowed, List.of(), OptionalLong.of(3), 0))).isEmpty();
    assertThat(
            keys(
                Relation.Step.of(
                    Aggregate.complete(List.of("a"), List.of(AggregateCall.countRows("n"))),
                    windowed)))
        .isEmpty();
  }

  private static List<String> keys(Relation relation) {
    return DivisibleRows.keys(new RelationalQuery(relation));
  }

  @SafeVarargs
  private static Relation windowed(Relation input, List<String>... partitions) {
    List<Relation.WindowCall> calls = new ArrayList<>();
    for (List<String> partition : partitions) {
      calls.add(
          new Relation.WindowCall(
              "w" + input.row().fields().size() + calls.size(),
              WindowFunction.COUNT,
              WindowArguments.NONE,
              partition,
              List.of(),
              WindowFrame.PARTITION));
    }
    return new Relation.Windowed(input, calls);
  }
}
