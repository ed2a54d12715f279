// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.explain;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The queries and relational operators of a plan, which an engine runs in columns. */
final class EngineWork {

  private static final String STEP = "  ";
  private static final String WORK = "    ";
  private static final String WORK_GOES_ON = "      ";

  private EngineWork() {}

  /**
   * For each vertex that has such work its title, and below it the work.
   *
   * @param columns no line is longer, but for words that are
   */
  static List<String> lines(IRDag plan, int columns) {
    List<String> lines = new ArrayList<>();
    for (IRVertex vertex : plan.vertices()) {
      List<String> work = new ArrayList<>();
      if (vertex instanceof SourceVertex source) {
        add(source.source(), columns, work);
        for (OperatorVertex pushed : source.pushed()) {
          text(pushed.operator()).ifPresent(text -> addWork("pushed down: ", text, columns, work));
        }
      } else if (vertex instanceof OperatorVertex operator) {
        add(operator.operator(), columns, work);
      }
      if (!work.isEmpty()) {
        lines.add(STEP + PlanWords.title(vertex));
        lines.addAll(work);
      }
    }
    return lines;
  }

  private static void add(FunctionSpec function, int columns, List<String> work) {
    text(function).ifPresent(text -> addWork("", text, columns, work));
  }

  /**
   * An operator in a line, or a query with a line for each relation, what it reads further right.
   */
  private static Optional<String> text(FunctionSpec function) {
    return RelationalFunctions.operatorOf(function)
        .map(operator -> operator.text())
        .or(() -> RelationalFunctions.queryOf(function).map(query -> query.text()))
        .or(
            () ->
                RelationalFunctions.partitionedOf(function)
                    .map(partitioned -> partitioned.query().text()))
        .or(() -> RelationalFunctions.piecedOf(function).map(pieced -> pieced.query().text()));
  }

  private static void addWork(String prefix, String text, int columns, List<String> work) {
    for (String line : text.split("\n", -1)) {
      String relation = line.stripLeading();
      String indent = " ".repeat(line.length() - relation.length());
      WrappedText.add(WORK + indent, WORK_GOES_ON + indent, prefix + relation, columns, work);
    }
  }
}
