// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.print.MarkedDag.Item;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints for people: each vertex on a line, below it what it reads and what it waits for.
 *
 * <pre>
 *   source lines "Read lines" source=text#3fdba35f parts=2#60303ae2 (2.0 MB) [Parallelism=2]
 * ~ operator count "Count" operator=count [+Parallelism=4]
 *     ~ reads lines by e1 SHUFFLE coder=line [+DataFlow=PULL]
 * </pre>
 */
public final class TextPrinter implements IRPrinter {

  @Override
  public String print(IRDag dag) {
    return print(MarkedDag.of(dag), summary(dag));
  }

  @Override
  public String print(IRDag before, IRDag after) {
    MarkedDag marked = MarkedDag.of(before, after);
    return print(marked, summary(after) + ": " + changes(marked));
  }

  /** How many vertices and edges differ, as {@code 1 added, 0 removed, 2 changed}. */
  public static String changes(IRDag before, IRDag after) {
    return changes(MarkedDag.of(before, after));
  }

  private static String changes(MarkedDag marked) {
    return marked.count(Mark.ADDED)
        + " added, "
        + marked.count(Mark.REMOVED)
        + " removed, "
        + marked.count(Mark.CHANGED)
        + " changed";
  }

  private static String summary(IRDag dag) {
    return dag.vertices().size() + " vertices, " + dag.edges().size() + " edges";
  }

  private static String print(MarkedDag dag, String summary) {
    StringBuilder text = new StringBuilder(summary).append('\n');
    for (Item<IRVertex> vertex : dag.vertices()) {
      appendVertex(text, vertex);
      String id = vertex.element().id();
      for (Item<IREdge> edge : dag.edges()) {
        if (edge.element().to().equals(id)) {
          appendEdge(text, edge);
        }
      }
      for (Item<ControlDependency> dependency : dag.dependencies()) {
        if (dependency.element().to().equals(id)) {
          text.append("    ")
              .append(dependency.mark().sign())
              .append(" waits for ")
              .append(dependency.element().from())
              .append('\n');
        }
      }
    }
    return text.toString();
  }

  private static void appendVertex(StringBuilder text, Item<IRVertex> item) {
    IRVertex vertex = item.element();
    Attributes attributes = Attributes.of(vertex);
    Map<String, Object> own = new LinkedHashMap<>(attributes.own());
    own.remove("name");
    text.append(item.mark().sign())
        .append(' ')
        .append(attributes.kind())
        .append(' ')
        .append(vertex.id())
        .append(" \"")
        .append(vertex.name())
        .append('"');
    appendAttributes(text, own, attributes.properties(), item.changes());
  }

  private static void appendEdge(StringBuilder text, Item<IREdge> item) {
    IREdge edge = item.element();
    Attributes attributes = Attributes.of(edge);
    text.append("    ")
        .append(item.mark().sign())
        .append(" reads ")
        .append(edge.from())
        .append(edge.output().equals(IREdge.MAIN) ? "" : "." + edge.output())
        .append(" by ")
        .append(edge.id())
        .append(edge.input().equals(IREdge.MAIN) ? "" : " into " + edge.input())
        .append(' ')
        .append(edge.pattern());
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("coder", edge.elementCoder());
    Map<String, Object> properties = new LinkedHashMap<>(attributes.properties());
    // Most edges are coded as their elements are; a name is easier to read than the same hash.
    properties.replaceAll(
        (name, value) ->
            value.equals(new Encoder(edge.elementCoder()))
                    || value.equals(new Decoder(edge.elementCoder()))
                ? "coder"
                : value);
    appendAttributes(text, own, properties, item.changes());
  }

  private static void appendAttributes(
      StringBuilder text,
      Map<String, Object> own,
      Map<String, Object> properties,
      List<DagDiff.AttributeChange> changes) {
    ChangeText.list(own, changes, false).forEach(word -> text.append(' ').append(word));
    // What the line shows without a name, such as the ends of an edge, is named when it changed.
    changes.stream()
        .filter(change -> change.after().isPresent())
        .filter(change -> !own.containsKey(change.attribute()))
        .filter(change -> !properties.containsKey(change.attribute()))
        .forEach(change -> text.append(' ').append(ChangeText.of(change)));
    List<String> words = ChangeText.list(properties, changes, true);
    if (!words.isEmpty()) {
      text.append(" [").append(String.join(", ", words)).append(']');
    }
    text.append('\n');
  }
}
