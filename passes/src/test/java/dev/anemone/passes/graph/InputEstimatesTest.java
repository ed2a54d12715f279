// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.edit.CutIntoSource;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InputEstimatesTest {

  private static final int PARTS = 8;
  private static final Project FLAGS = new Project(List.of(NamedExpression.column("flag")));

  /** A table of 160 MB, two operators on it, and what reads their rows by key. */
  private static IRDag table(RelationalOperator first, RelationalOperator second) {
    return IRDag.builder()
        .add(Plans.source("table", 20 * Plans.MB, PARTS))
        .add(relational("first", first))
        .add(relational("second", second))
        .add(Plans.operator("rows"))
        .add(Plans.operator("sum"))
        .add(Plans.oneToOne("e1", "table", "first"))
        .add(Plans.oneToOne("e2", "first", "second"))
        .add(Plans.oneToOne("e3", "second", "rows"))
        .add(Plans.groupByKey("e4", "rows", "sum"))
        .build();
  }

  private static OperatorVertex relational(String id, RelationalOperator operator) {
    return OperatorVertex.of(id, id, RelationalFunctions.specOf(operator))
        .withTraits(Set.of(OperatorTrait.PUSHABLE));
  }

  private static long bytes(IRDag dag, String vertex) {
    InputEstimates.Estimate estimate = InputEstimates.of(dag).output(vertex);
    assertThat(estimate.unknownParts()).isZero();
    return estimate.bytes();
  }

  @Test
  void anAggregateOfAllRowsGivesARowForEachPart() {
    IRDag dag = table(FLAGS, Aggregate.complete(List.of(), List.of()).partialHalf());
    assertThat(bytes(dag, "table")).isEqualTo(bytes(dag, "first")).isEqualTo(160 * Plans.MB);
    assertThat(bytes(dag, "second")).isEqualTo(bytes(dag, "rows")).isEqualTo(PARTS * 1024);
    assertThat(tasks(dag, "table")).isEqualTo(tasks(dag, "rows")).isGreaterThan(1);
    assertThat(tasks(dag, "sum")).isEqualTo(1);
  }

  @Test
  void alsoWhereTheStorageSideMakesIt() {
    IRDag cut =
        table(FLAGS, Aggregate.complete(List.of(), List.of()).partialHalf())
            .apply(new CutIntoSource("table", "first"))
            .apply(new CutIntoSource("table", "second"));
    assertThat(bytes(cut, "table")).isEqualTo(bytes(cut, "rows")).isEqualTo(PARTS * 1024);
    assertThat(tasks(cut, "table")).isGreaterThan(1);
    assertThat(tasks(cut, "sum")).isEqualTo(1);
  }

  @Test
  void howManyGroupsThereAreIsNotGuessed() {
    IRDag dag = table(FLAGS, Aggregate.complete(List.of("flag"), List.of()).partialHalf());
    assertThat(bytes(dag, "rows")).isEqualTo(160 * Plans.MB);
  }

  private static int tasks(IRDag dag, String vertex) {
    return Plans.lastStep(dag, Plans.CONTEXT, new ParallelismPass())
        .after()
        .vertex(vertex)
        .property(Parallelism.class)
        .orElseThrow()
        .tasks();
  }
}
