// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PushdownCostPassTest {

  private final PushdownCostPass pass = new PushdownCostPass();

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "PushdownCostPass", Plans.lastStep(read("measured"), Plans.CONTEXT, pass));
  }

  @Test
  void whatWasMeasuredIsTheAdvicesReason() {
    IRDag measured = pass.apply(read("measured"), Plans.CONTEXT);
    StoragePushdownPass pushdown = new StoragePushdownPass();
    assertThat(((SourceVertex) pushdown.apply(measured, Plans.CONTEXT).vertex("measured")).pushed())
        .extracting(OperatorVertex::id)
        .containsExactly("filter");
    assertThat(pushdown.notes(measured, Plans.CONTEXT))
        .containsExactly(
            "measured: 1 of 2 operators are cut into the source; measured", "  one", "  two");
  }

  @Test
  void nothingIsMeasuredThatNobodyKnowsOrAsksFor() {
    IRDag unknown = read("lineitem");
    assertThat(pass.apply(unknown, Plans.CONTEXT)).isSameAs(unknown);
    IRDag known = read("measured");
    PassContext given = Plans.CONTEXT.withOption("pushdown", "full");
    assertThat(pass.apply(known, given)).isSameAs(known);
    assertThat(known.vertex("measured").property(PushdownCosts.class)).isEmpty();
  }

  private static IRDag read(String source) {
    return IRDag.builder()
        .add(Plans.source(source, 64 * Plans.MB, 4))
        .add(
            relational(
                "filter",
                new Filter(
                    new Comparison(
                        Comparison.Relation.LESS, new Column("quantity"), Literal.of(24)))))
        .add(relational("project", new Project(List.of(NamedExpression.column("price")))))
        .add(Plans.operator("rows"))
        .add(Plans.oneToOne("e1", source, "filter"))
        .add(Plans.oneToOne("e2", "filter", "project"))
        .add(Plans.oneToOne("e3", "project", "rows"))
        .build();
  }

  private static OperatorVertex relational(String id, RelationalOperator operator) {
    return OperatorVertex.of(id, id, RelationalFunctions.specOf(operator))
        .withTraits(Set.of(OperatorTrait.PUSHABLE));
  }
}
