// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.print.MarkedDag.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prints for Graphviz. What was added is green, what was removed red, what changed blue; control
 * dependencies are dotted.
 */
public final class DotPrinter implements IRPrinter {

  private static final Map<String, String> SHAPES =
      Map.of(
          "source", "cylinder",
          "operator", "box",
          "combiner", "box",
          "relay", "cds",
          "sampled", "box",
          "collection", "note",
          "aggregation", "note");

  private static final Map<Mark, String> COLORS =
      Map.of(
          Mark.SAME, "black",
          Mark.ADDED, "darkgreen",
          Mark.REMOVED, "red",
          Mark.CHANGED, "blue");

  @Override
  public String print(IRDag dag) {
    return print(MarkedDag.of(dag));
  }

  @Override
  public String print(IRDag before, IRDag after) {
    return print(MarkedDag.of(before, after));
  }

  private static String print(MarkedDag dag) {
    StringBuilder text = new StringBuilder("digraph ir {\n  node [fontname=\"sans-serif\"];\n");
    text.append("  edge [fontname=\"sans-serif\"];\n");
    for (Item<IRVertex> item : dag.vertices()) {
      appendVertex(text, item);
    }
    for (Item<IREdge> item : dag.edges()) {
      appendEdge(text, item);
    }
    for (Item<ControlDependency> item : dag.dependencies()) {
      appendArrow(text, item.element().from(), item.element().to());
      text.append(" [style=dotted, color=").append(COLORS.get(item.mark())).append("];\n");
    }
    return text.append("}\n").toString();
  }

  private static void appendVertex(StringBuilder text, Item<IRVertex> item) {
    Attributes attributes = Attributes.of(item.element());
    List<String> lines = new ArrayList<>();
    lines.add(sign(item.mark()) + attributes.kind() + " " + item.element().id());
    lines.add(item.element().name());
    lines.addAll(propertyLines(attributes, item.changes()));
    text.append("  ")
        .append(quoted(item.element().id()))
        .append(" [shape=")
        .append(SHAPES.get(attributes.kind()))
        .append(", label=")
        .append(quoted(lines))
        .append(colored(item.mark()));
  }

  private static void appendEdge(StringBuilder text, Item<IREdge> item) {
    Attributes attributes = Attributes.of(item.element());
    List<String> lines = new ArrayList<>();
    lines.add(sign(item.mark()) + item.element().id() + " " + item.element().pattern());
    lines.addAll(propertyLines(attributes, item.changes()));
    appendArrow(text, item.element().from(), item.element().to());
    text.append(" [label=").append(quoted(lines)).append(colored(item.mark()));
  }

  /** The properties, and whatever else changed. */
  private static List<String> propertyLines(
      Attributes attributes, List<DagDiff.AttributeChange> changes) {
    List<String> lines = ChangeText.list(attributes.properties(), changes, true);
    changes.stream()
        .filter(change -> change.after().isPresent())
        .filter(change -> !attributes.properties().containsKey(change.attribute()))
        .forEach(change -> lines.add(ChangeText.of(change)));
    return lines;
  }

  private static void appendArrow(StringBuilder text, String from, String to) {
    text.append("  ").append(quoted(from)).append(" -> ").append(quoted(to));
  }

  private static String colored(Mark mark) {
    String color = COLORS.get(mark);
    String style = mark == Mark.REMOVED ? ", style=dashed" : "";
    return ", color=" + color + ", fontcolor=" + color + style + "];\n";
  }

  private static String sign(Mark mark) {
    return mark == Mark.SAME ? "" : mark.sign() + " ";
  }

  private static String quoted(List<String> lines) {
    return quoted(String.join("\n", lines));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
