// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A query: a relation that is neither too large nor too deep, whose inputs of one name are one
 * input. Immutable and thread-safe.
 *
 * @param root the rows that come out
 */
public record RelationalQuery(Relation root) {

  /** Most relations in a query. */
  public static final int MAX_RELATIONS = 2_000;

  /** Most relations from the root to an input. */
  public static final int MAX_DEPTH = 200;

  public RelationalQuery {
    Objects.requireNonNull(root, "root");
    count(root, 1, 0);
    collect(root, new LinkedHashMap<>());
  }

  /** The rows that come out. */
  public RowType row() {
    return root.row();
  }

  /**
   * The inputs by name, in the order of the query, each with its columns. An input that is read
   * twice is there once.
   */
  public Map<String, RowType> inputs() {
    Map<String, RowType> inputs = new LinkedHashMap<>();
    collect(root, inputs);
    return inputs;
  }

  /**
   * The same query on inputs with other types.
   *
   * @param rows the columns of some inputs, with the names that they have
   * @throws InvalidPlanException when it has no meaning for such columns
   */
  public RelationalQuery withInputs(Map<String, RowType> rows) {
    return new RelationalQuery(
        replaced(
            root,
            input ->
                new Relation.Input(input.name(), rows.getOrDefault(input.name(), input.row()))));
  }

  /**
   * The same query with a relation wherever it reads an input.
   *
   * @param relation with the columns of the input
   * @throws InvalidPlanException when it has others, or the query becomes too large or too deep
   */
  public RelationalQuery withRelation(String name, Relation relation) {
    if (!relation.row().equals(inputs().get(name))) {
      throw new InvalidPlanException(
          "the input " + name + " has columns " + inputs().get(name) + ", not " + relation.row());
    }
    return new RelationalQuery(
        replaced(root, input -> input.name().equals(name) ? relation : input));
  }

  /**
   * Whether another query can be what this one reads as an input: the two read no other input of
   * one name, and are together neither too large nor too deep.
   */
  public boolean canRead(String name, RelationalQuery other) {
    Set<String> others = new HashSet<>(inputs().keySet());
    others.remove(name);
    return others.stream().noneMatch(other.inputs()::containsKey)
        && relations() + reads(name) * other.relations() <= MAX_RELATIONS
        && depth() + other.depth() <= MAX_DEPTH;
  }

  private static Relation replaced(Relation relation, Function<Relation.Input, Relation> other) {
    List<Relation> inputs = relation.inputs().stream().map(each -> replaced(each, other)).toList();
    if (relation instanceof Relation.Input input) {
      return other.apply(input);
    } else if (relation instanceof Relation.Values) {
      return relation;
    } else if (relation instanceof Relation.Step step) {
      return Relation.Step.of(step.operator(), inputs.get(0));
    } else if (relation instanceof Relation.Grouped grouped) {
      return new Relation.Grouped(
          inputs.get(0),
          grouped.keys(),
          grouped.sets(),
          grouped.calls(),
          grouped.levels(),
          grouped.statistics());
    } else if (relation instanceof Relation.Windowed windowed) {
      return new Relation.Windowed(inputs.get(0), windowed.calls());
    } else if (relation instanceof Relation.Join join) {
      return new Relation.Join(
          join.kind(), inputs.get(0), inputs.get(1), join.keys(), join.condition());
    } else if (relation instanceof Relation.Top top) {
      return new Relation.Top(inputs.get(0), top.keys(), top.count(), top.offset());
    } else if (relation instanceof Relation.Union) {
      return new Relation.Union(inputs);
    }
    throw new IllegalStateException("no relation: " + relation);
  }

  /** How many relations it has, one that stands at two places twice. */
  public int relations() {
    return count(root, 1, 0);
  }

  /** At how many places it reads an input. */
  public int reads(String input) {
    return reads(root, input);
  }

  private static int reads(Relation relation, String input) {
    return relation instanceof Relation.Input read
        ? (read.name().equals(input) ? 1 : 0)
        : relation.inputs().stream().mapToInt(below -> reads(below, input)).sum();
  }

  /** Relations on the longest way from the root to an input. */
  public int depth() {
    return depth(root);
  }

  private static int depth(Relation relation) {
    return 1 + relation.inputs().stream().mapToInt(RelationalQuery::depth).max().orElse(0);
  }

  /** The query for people: a line for each relation, its inputs below it and further right. */
  public String text() {
    StringBuilder text = new StringBuilder();
    append(root, "", text);
    return text.toString();
  }

  /** The query in one line: each relation is followed by its inputs in brackets. */
  public String line() {
    return line(root);
  }

  private static String line(Relation relation) {
    return relation instanceof Relation.Input input
        ? input.name()
        : relation.text()
            + relation.inputs().stream()
                .map(RelationalQuery::line)
                .collect(Collectors.joining("; ", " {", "}"));
  }

  private static void append(Relation relation, String indent, StringBuilder text) {
    text.append(text.length() == 0 ? "" : "\n").append(indent).append(relation.text());
    relation.inputs().forEach(input -> append(input, indent + "  ", text));
  }

  private static int count(Relation relation, int depth, int before) {
    int count = before + 1;
    if (depth > MAX_DEPTH || count > MAX_RELATIONS) {
      throw new InvalidPlanException(
          "a query has more than "
              + MAX_RELATIONS
              + " relations, or more than "
              + MAX_DEPTH
              + " on the way to an input");
    }
    for (Relation input : relation.inputs()) {
      count = count(input, depth + 1, count);
    }
    return count;
  }

  private static void collect(Relation relation, Map<String, RowType> inputs) {
    if (relation instanceof Relation.Input input) {
      RowType known = inputs.putIfAbsent(input.name(), input.row());
      if (known != null && !known.equals(input.row())) {
        throw new InvalidPlanException(
            "the input " + input.name() + " has columns " + known + " and columns " + input.row());
      }
    }
    relation.inputs().forEach(below -> collect(below, inputs));
  }
}
