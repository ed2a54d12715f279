// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.pushdown.StoragePushdownPass.Pushdown;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoragePushdownPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "StoragePushdownPass",
        Plans.lastStep(read(), Plans.CONTEXT, new StoragePushdownPass(Pushdown.FULL)));
  }

  @ParameterizedTest
  @CsvSource({"none, 0", "filter, 1", "project, 2", "full, 3", "near_data, 3"})
  void theOptionSaysWhatIsCut(String option, int cut) {
    PassContext context = Plans.CONTEXT.withOption("pushdown", option);
    StoragePushdownPass pass = new StoragePushdownPass(Pushdown.NONE);
    IRDag after = pass.apply(read(), context);
    assertThat(pushed(after)).hasSize(cut);
    assertThat(after.vertices()).hasSize(6 - cut);
    assertThat(pass.notes(read(), context))
        .singleElement()
        .asString()
        .startsWith("lineitem: " + cut + " of 3 operators are cut into the source; ");
  }

  @Test
  void whatAnotherReadsTooIsNotCut() {
    IRDag dag =
        read().toBuilder()
            .add(Plans.operator("other"))
            .add(Plans.oneToOne("e9", "filter", "other"))
            .build();
    assertThat(pushed(new StoragePushdownPass(Pushdown.FULL).apply(dag, Plans.CONTEXT)))
        .extracting(OperatorVertex::id)
        .containsExactly("filter");
  }

  /** A source has only the main output. */
  @Test
  void whatHasAnotherOutputThatIsReadIsNotCut() {
    IRDag read = read();
    IRDag dag = read.toBuilder().replace(read.edge("e3").withSource("project", "errors")).build();

    assertThat(pushed(new StoragePushdownPass(Pushdown.FULL).apply(dag, Plans.CONTEXT)))
        .extracting(OperatorVertex::id)
        .containsExactly("filter");
  }

  @Test
  void aGraphWithoutSuchOperatorsStaysAsItIs() {
    IRDag dag = Plans.wordCount();
    StoragePushdownPass pass = new StoragePushdownPass();
    assertThat(pass.apply(dag, Plans.CONTEXT)).isSameAs(dag);
    assertThat(pass.notes(dag, Plans.CONTEXT)).isEmpty();
  }

  private static List<OperatorVertex> pushed(IRDag dag) {
    return dag.vertices().stream()
        .filter(SourceVertex.class::isInstance)
        .flatMap((IRVertex source) -> ((SourceVertex) source).pushed().stream())
        .toList();
  }

  private static IRDag read() {
    return IRDag.builder()
        .add(Plans.source("lineitem", 64 * Plans.MB, 4))
        .add(
            relational(
                "filter",
                new Filter(
                    new Expression.Comparison(
                        Expression.Comparison.Relation.LESS,
                        new Expression.Column("quantity"),
                        Literal.of(24)))))
        .add(relational("project", new Project(List.of(NamedExpression.column("price")))))
        .add(
            relational(
                "aggregate",
                Aggregate.complete(List.of(), List.of(AggregateCall.countRows("n"))).partialHalf()))
        .add(Plans.operator("rows"))
        .add(Plans.operator("count"))
        .add(Plans.oneToOne("e1", "lineitem", "filter"))
        .add(Plans.oneToOne("e2", "filter", "project"))
        .add(Plans.oneToOne("e3", "project", "aggregate"))
        .add(Plans.oneToOne("e4", "aggregate", "rows"))
        .add(Plans.groupByKey("e5", "rows", "count"))
        .build();
  }

  private static OperatorVertex relational(String id, RelationalOperator operator) {
    return OperatorVertex.of(id, id, RelationalFunctions.specOf(operator))
        .withTraits(Set.of(OperatorTrait.PUSHABLE));
  }
}
