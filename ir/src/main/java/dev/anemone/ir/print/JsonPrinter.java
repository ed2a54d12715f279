// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.print.MarkedDag.Item;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.Locale;

/**
 * Prints for programs: an object with the arrays {@code vertices}, {@code edges} and {@code
 * controlDependencies}. A vertex that an engine runs a query for has it as {@code query}, a line
 * for each relation. Where two graphs are compared, each element has a {@code mark} ({@code same},
 * {@code added}, {@code removed} or {@code changed}), and a changed one an array {@code changes}.
 */
public final class JsonPrinter implements IRPrinter {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
  private static final ObjectWriter WRITER =
      MAPPER.writer(
          new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER));

  @Override
  public String print(IRDag dag) {
    return print(MarkedDag.of(dag), false);
  }

  @Override
  public String print(IRDag before, IRDag after) {
    return print(MarkedDag.of(before, after), true);
  }

  private static String print(MarkedDag dag, boolean marked) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode vertices = root.putArray("vertices");
    for (Item<IRVertex> item : dag.vertices()) {
      Attributes attributes = Attributes.of(item.element());
      ObjectNode node = vertices.addObject();
      node.put("id", item.element().id());
      node.put("kind", attributes.kind());
      putAttributes(node, attributes);
      putMark(node, item, marked);
    }
    ArrayNode edges = root.putArray("edges");
    for (Item<IREdge> item : dag.edges()) {
      ObjectNode node = edges.addObject();
      node.put("id", item.element().id());
      putAttributes(node, Attributes.of(item.element()));
      putMark(node, item, marked);
    }
    ArrayNode dependencies = root.putArray("controlDependencies");
    for (Item<ControlDependency> item : dag.dependencies()) {
      ObjectNode node = dependencies.addObject();
      node.put("from", item.element().from());
      node.put("to", item.element().to());
      putMark(node, item, marked);
    }
    try {
      return WRITER.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of strings can be written as JSON", e);
    }
  }

  private static void putAttributes(ObjectNode node, Attributes attributes) {
    attributes
        .own()
        .forEach(
            (name, value) -> {
              node.put(name, ShortForm.of(value));
              if (value instanceof FunctionSpec spec) {
                RelationalFunctions.engineQueryOf(spec)
                    .ifPresent(query -> node.put("query", query.text()));
              }
            });
    ObjectNode properties = node.putObject("properties");
    attributes.properties().forEach((name, value) -> properties.put(name, ShortForm.of(value)));
  }

  private static void putMark(ObjectNode node, Item<?> item, boolean marked) {
    if (!marked) {
      return;
    }
    node.put("mark", item.mark().name().toLowerCase(Locale.ROOT));
    if (item.mark() == Mark.CHANGED) {
      ArrayNode changes = node.putArray("changes");
      for (DagDiff.AttributeChange change : item.changes()) {
        ObjectNode entry = changes.addObject().put("attribute", change.attribute());
        change.before().ifPresent(value -> entry.put("before", value));
        change.after().ifPresent(value -> entry.put("after", value));
      }
    }
  }
}
