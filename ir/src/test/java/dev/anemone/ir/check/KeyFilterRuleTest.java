// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.LINE;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.source;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyFilterRuleTest {

  private static final CheckRule RULE = new KeyFilterRule();
  private static final KeyFilter FILTER = new KeyFilter("l_part", "join", "x1", "p_key");

  private static final FunctionSpec BATCHES =
      RelationalFunctions.exchangeOf(
          new ExchangeWrite(
              new Exchange(
                  "x0",
                  RowType.of(Field.nullable("part", SimpleType.INT64)),
                  new Partitioning.Stay()),
              1));

  private static OperatorVertex join(JoinKind kind) {
    RowType lines = RowType.of(Field.nullable("part", SimpleType.INT64));
    RowType parts = RowType.of(Field.nullable("p_key", SimpleType.INT64));
    Relation join =
        new Relation.Join(
            kind,
            new Relation.Input("x0", lines),
            new Relation.Input("x1", parts),
            List.of(new Relation.KeyPair("part", "p_key")),
            Optional.empty());
    return OperatorVertex.of(
        "join",
        "join",
        RelationalFunctions.piecesOf(new PiecedQuery(new RelationalQuery(join), "x0")));
  }

  /** Lines, of which a column is renamed, are joined with parts. */
  private static IRDag dag(JoinKind kind) {
    IRDag dag =
        IRDag.builder()
            .add(source("lines", 2))
            .add(
                OperatorVertex.of(
                    "project",
                    "project",
                    RelationalFunctions.specOf(
                        new Project(
                            List.of(
                                new NamedExpression("part", new Expression.Column("l_part")))))))
            .add(OperatorVertex.of("batches", "batches", BATCHES))
            .add(source("parts", 1))
            .add(join(kind))
            .add(oneToOne("e1", "lines", "project"))
            .add(oneToOne("e2", "project", "batches"))
            .add(oneToOne("e3", "batches", "join"))
            .add(
                IREdge.of("e4", "parts", "join", CommunicationPattern.BROADCAST, LINE)
                    .withDestination("join", "x1"))
            .build();
    return filtered(dag, FILTER);
  }

  private static IRDag filtered(IRDag dag, KeyFilter filter) {
    return withVertexProperty(dag, "lines", new KeyFilters(List.of(filter), 10));
  }

  @Test
  void acceptsWhatLeavesOutOnlyRowsWithoutAMatch() {
    assertGood(RULE, dag(JoinKind.INNER));
    assertGood(RULE, dag(JoinKind.SEMI));
  }

  @Test
  void refusesAFilterOfTheSideThatAJoinKeeps() {
    assertBroken(
        RULE,
        dag(JoinKind.LEFT),
        "lines",
        "is filtered by l_part in x1.p_key of join, which may leave out rows that count");
    assertBroken(RULE, dag(JoinKind.ANTI), "lines", "may leave out rows that count");
  }

  @Test
  void refusesAFilterByAnotherColumn() {
    assertBroken(
        RULE,
        filtered(dag(JoinKind.INNER), new KeyFilter("part", "join", "x1", "p_key")),
        "lines",
        "part in x1.p_key");
  }

  @Test
  void refusesAFilterOfRowsThatSomebodyElseReads() {
    IRDag dag =
        dag(JoinKind.INNER).toBuilder()
            .add(operator("other"))
            .add(oneToOne("e5", "batches", "other"))
            .build();
    assertBroken(RULE, dag, "lines", "may leave out rows that count");
  }

  @Test
  void refusesAFilterBehindWhatMayDropOrMakeRows() {
    IRDag dag = dag(JoinKind.INNER).toBuilder().replace(operator("batches")).build();
    assertBroken(RULE, dag, "lines", "may leave out rows that count");
  }

  @Test
  void refusesAFilterByKeysOfWhichATaskHasSome() {
    IRDag dag =
        dag(JoinKind.INNER).toBuilder()
            .replace(oneToOne("e4", "parts", "join").withDestination("join", "x1"))
            .build();
    assertBroken(RULE, dag, "lines", "may leave out rows that count");
  }
}
