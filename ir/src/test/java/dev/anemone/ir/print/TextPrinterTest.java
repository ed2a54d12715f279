// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import static dev.anemone.ir.testing.GoldenFiles.assertMatches;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.IsNull;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.json.RelationalFunctions;
import org.junit.jupiter.api.Test;

class TextPrinterTest {

  private static final IRPrinter PRINTER = new TextPrinter();

  @Test
  void printsAGraph() {
    assertMatches("print/graph.txt", PRINTER.print(PrintedDags.after()));
  }

  @Test
  void printsWhatChanged() {
    assertMatches("print/difference.txt", PRINTER.print(PrintedDags.before(), PrintedDags.after()));
  }

  @Test
  void relationalOperatorsSayWhatTheyDo() {
    IRDag dag = wordCount();
    OperatorVertex split = (OperatorVertex) dag.vertex("split");
    Filter filter = new Filter(new IsNull(new Column("word")));
    IRDag filtering =
        dag.toBuilder().replace(split.withOperator(RelationalFunctions.specOf(filter))).build();
    assertThat(PRINTER.print(filtering)).contains("operator=filter (word is null)");
  }
}
