// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import static dev.anemone.ir.testing.GoldenFiles.assertMatches;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.IsNull;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonPrinterTest {

  private static final IRPrinter PRINTER = new JsonPrinter();

  @Test
  void printsAGraph() {
    assertMatches("print/graph.json", PRINTER.print(PrintedDags.after()));
  }

  @Test
  void printsWhatChanged() {
    assertMatches(
        "print/difference.json", PRINTER.print(PrintedDags.before(), PrintedDags.after()));
  }

  @Test
  void queriesOfTheEngineHaveALineForEachRelation() {
    IRDag dag = wordCount();
    OperatorVertex split = (OperatorVertex) dag.vertex("split");
    RelationalQuery query =
        new RelationalQuery(
            Relation.Step.of(
                new Filter(new IsNull(new Column("word"))),
                new Relation.Input("x0", RowType.of(Field.nullable("word", SimpleType.STRING)))));
    IRDag querying =
        dag.toBuilder()
            .replace(
                split.withOperator(
                    RelationalFunctions.partitionsOf(new PartitionedQuery(query, Set.of()))))
            .build();

    assertThat(PRINTER.print(querying))
        .contains("\"query\" : \"filter (word is null)\\n  input x0 (word string)\"");
    assertThat(PRINTER.print(dag)).doesNotContain("\"query\"");
  }
}
