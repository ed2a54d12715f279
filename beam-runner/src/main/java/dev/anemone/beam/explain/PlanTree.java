// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.explain;

import dev.anemone.beam.terminal.ShortNames;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A plan as a tree: what it ends with on top, and below each vertex what that reads. What is read
 * one to one stands on the next line, anything else one step to the right, below how it is read.
 *
 * <pre>
 * Count (v4)                              4 tasks
 * +- SHUFFLE by key, pulled, local file
 *    SplitWords (v2)                      8 tasks
 *    Read (v1)                            8 tasks, 167.8 MB in 8 parts
 * </pre>
 */
final class PlanTree {

  private static final String FORK = "+- ";
  private static final String GOES_ON = "|  ";
  private static final String NOTHING = "   ";

  private final IRDag dag;
  private final Set<String> shown = new HashSet<>();
  private final List<Line> lines = new ArrayList<>();

  /**
   * A line.
   *
   * @param indent what stands before it
   * @param name what may be cut
   * @param words behind it, in a column of their own
   */
  private record Line(String indent, String name, String words) {}

  private PlanTree(IRDag dag) {
    this.dag = dag;
  }

  /**
   * The tree.
   *
   * @param columns no line is longer, but for those of the deepest plans
   */
  static List<String> lines(IRDag dag, int columns) {
    PlanTree tree = new PlanTree(dag);
    for (IRVertex vertex : dag.vertices()) {
      if (dag.outgoing(vertex.id()).isEmpty()) {
        tree.add(vertex, "");
      }
    }
    return tree.text(columns);
  }

  private void add(IRVertex first, String indent) {
    IRVertex vertex = first;
    while (isNew(vertex, indent)) {
      List<IREdge> inputs = dag.incoming(vertex.id());
      if (inputs.size() != 1 || inputs.get(0).pattern() != CommunicationPattern.ONE_TO_ONE) {
        addInputs(inputs, indent);
        return;
      }
      vertex = dag.vertex(inputs.get(0).from());
    }
  }

  /** Adds the line of a vertex; says whether what it reads is still to be shown. */
  private boolean isNew(IRVertex vertex, String indent) {
    boolean isNew = shown.add(vertex.id());
    lines.add(new Line(indent, PlanWords.title(vertex), isNew ? PlanWords.of(vertex) : "as above"));
    return isNew;
  }

  private void addInputs(List<IREdge> inputs, String indent) {
    for (int i = 0; i < inputs.size(); i++) {
      lines.add(new Line(indent + FORK, PlanWords.of(inputs.get(i)), ""));
      boolean isLast = i == inputs.size() - 1;
      add(dag.vertex(inputs.get(i).from()), indent + (isLast ? NOTHING : GOES_ON));
    }
  }

  private List<String> text(int columns) {
    int right = lines.stream().mapToInt(line -> line.words().length()).max().orElse(0);
    // A blank column keeps terminals from breaking the line.
    int room = Math.max(columns / 2, columns - 1 - right - 2);
    int left =
        lines.stream()
            .filter(line -> !line.words().isEmpty())
            .mapToInt(line -> line.indent().length() + line.name().length())
            .max()
            .orElse(0);
    int column = Math.min(room, left);
    List<String> text = new ArrayList<>();
    for (Line line : lines) {
      int most = (line.words().isEmpty() ? columns - 1 : column) - line.indent().length();
      String name = ShortNames.cut(line.name(), Math.max(ShortNames.FEWEST, most));
      String padded =
          line.indent()
              + name
              + " ".repeat(Math.max(0, most - name.length()))
              + "  "
              + line.words();
      String cut = ShortNames.cut(padded.stripTrailing(), columns - 1);
      text.add(cut);
    }
    return text;
  }
}
