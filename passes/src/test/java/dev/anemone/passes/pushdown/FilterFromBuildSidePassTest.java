// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Filter;
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
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.pushdown.StoragePushdownPass.Pushdown;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FilterFromBuildSidePassTest {

  private static final RowType LINES =
      RowType.of(
          Field.nullable("l_partkey", SimpleType.INT64),
          Field.nullable("l_quantity", SimpleType.INT64));
  private static final RowType PARTS = RowType.of(Field.nullable("p_partkey", SimpleType.INT64));

  private static final FunctionSpec BATCHES =
      RelationalFunctions.exchangeOf(
          new ExchangeWrite(new Exchange("x0", LINES, new Partitioning.Stay()), 1));

  private static final RelationalOperator MANY =
      new Filter(
          new Comparison(
              Comparison.Relation.GREATER, new Expression.Column("l_quantity"), Literal.of(40L)));

  /** Lines of which there are many, joined where they are read with the parts. */
  private static IRDag joined(JoinKind kind) {
    Relation join =
        new Relation.Join(
            kind,
            new Relation.Input("x0", LINES),
            new Relation.Input("x1", PARTS),
            List.of(new Relation.KeyPair("l_partkey", "p_partkey")),
            Optional.empty());
    return IRDag.builder()
        .add(Plans.source("part", Plans.MB, 1))
        .add(Plans.source("lineitem", 100 * Plans.MB, 8))
        .add(
            OperatorVertex.of("filter", "filter", RelationalFunctions.specOf(MANY))
                .withTraits(Set.of(OperatorTrait.PUSHABLE, OperatorTrait.PURE)))
        .add(OperatorVertex.of("batches", "batches", BATCHES))
        .add(
            OperatorVertex.of(
                "join",
                "join",
                RelationalFunctions.piecesOf(new PiecedQuery(new RelationalQuery(join), "x0"))))
        .add(Plans.oneToOne("e1", "lineitem", "filter"))
        .add(Plans.oneToOne("e2", "filter", "batches"))
        .add(Plans.oneToOne("e3", "batches", "join"))
        .add(Plans.sideInput("e4", "part", "join").withDestination("join", "x1"))
        .build();
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "FilterFromBuildSidePass",
        Plans.lastStep(joined(JoinKind.INNER), Plans.CONTEXT, new FilterFromBuildSidePass()));
  }

  @Test
  void tellsWhatIsReadOnlyInPart() {
    assertThat(new FilterFromBuildSidePass().notes(joined(JoinKind.INNER), Plans.CONTEXT))
        .containsExactly(
            "lineitem (lineitem) is read only where l_partkey in x1.p_partkey of join");
  }

  @Test
  void comesBeforeWhatIsPushedToTheStorageSide() {
    OptimizationStep step =
        Plans.lastStep(
            joined(JoinKind.SEMI),
            Plans.CONTEXT,
            new StoragePushdownPass(Pushdown.FULL),
            new FilterFromBuildSidePass());
    assertThat(step.after().hasVertex("filter")).isFalse();
    assertThat(step.after().vertex("lineitem").property(KeyFilters.class))
        .contains(
            new KeyFilters(List.of(new KeyFilter("l_partkey", "join", "x1", "p_partkey")), 1_000));
  }

  @Test
  void leavesTheSideThatAnOuterOrAntiJoinKeeps() {
    for (JoinKind kind : List.of(JoinKind.LEFT, JoinKind.FULL, JoinKind.ANTI)) {
      OptimizationStep step =
          Plans.lastStep(joined(kind), Plans.CONTEXT, new FilterFromBuildSidePass());
      assertThat(step.after()).as(kind.name()).isSameAs(step.before());
    }
  }

  @Test
  void leavesAllWhereNoKeyMayBeLookedFor() {
    PassContext none = PassContext.of(2, 512 * Plans.MB, Map.of("keyFilterValues", "0"));
    OptimizationStep step =
        Plans.lastStep(joined(JoinKind.INNER), none, new FilterFromBuildSidePass());
    assertThat(step.after()).isSameAs(step.before());
    assertThat(new FilterFromBuildSidePass().notes(joined(JoinKind.INNER), none)).isEmpty();
  }
}
