// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RowType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rows, and how they come about. A relation that exists is well typed: its parts are checked when
 * it is made.
 */
public sealed interface Relation
    permits Relation.Input,
        Relation.Values,
        Relation.Step,
        Relation.Grouped,
        Relation.Windowed,
        Relation.Join,
        Relation.Top,
        Relation.Union {

  /** The columns of the rows. */
  RowType row();

  /** The relations that this one is made of, in order. */
  List<Relation> inputs();

  /** What this relation does, in one line, for people; its inputs are not told. */
  String text();

  /** The rows of a table, or of another part of a pipeline, known by its name. */
  record Input(String name, RowType row) implements Relation {
    public Input {
      Objects.requireNonNull(row, "row");
      if (name.isBlank()) {
        throw new InvalidPlanException("an input of a query has no name");
      }
    }

    @Override
    public List<Relation> inputs() {
      return List.of();
    }

    @Override
    public String text() {
      return "input " + name + " " + row;
    }
  }

  /**
   * Rows of constants.
   *
   * @param rows none, or some; each a literal for each column
   */
  record Values(RowType row, List<List<Literal>> rows) implements Relation {
    public Values {
      Objects.requireNonNull(row, "row");
      rows = rows.stream().map(List::copyOf).toList();
      rows.forEach(values -> RelationTypes.checkValues(row, values));
    }

    @Override
    public List<Relation> inputs() {
      return List.of();
    }

    @Override
    public String text() {
      return "values " + row + ": " + rows.size();
    }
  }

  /** A filter, projection or aggregate of the rows of another relation. */
  record Step(RelationalOperator operator, Relation input, RowType row) implements Relation {

    public Step {
      if (!row.equals(operator.outputOf(input.row()))) {
        throw new InvalidPlanException(operator.text() + " does not give " + row);
      }
    }

    /**
     * An operator on a relation.
     *
     * @throws InvalidPlanException when it has no meaning for such rows
     */
    public static Step of(RelationalOperator operator, Relation input) {
      return new Step(operator, input, operator.outputOf(input.row()));
    }

    @Override
    public List<Relation> inputs() {
      return List.of(input);
    }

    @Override
    public String text() {
      return operator.text();
    }
  }

  /**
   * What {@code GROUP BY} can beyond an {@link RelationalOperator.Aggregate}: several groupings of
   * the same rows, and calls of different values, or of some of the rows only. A row has the keys,
   * null those that are not of its grouping; then the calls; then the levels; then the statistics.
   *
   * @param keys of all groupings, at least one
   * @param sets the keys of each grouping; one without keys gives a row also of no rows
   */
  record Grouped(
      Relation input,
      List<String> keys,
      List<List<String>> sets,
      List<GroupedCall> calls,
      List<Level> levels,
      List<Statistic> statistics)
      implements Relation {
    public Grouped {
      keys = List.copyOf(keys);
      sets = sets.stream().map(List::copyOf).toList();
      calls = List.copyOf(calls);
      levels = List.copyOf(levels);
      statistics = List.copyOf(statistics);
      GroupedTypes.check(keys, sets, levels);
      GroupedTypes.rowOf(input.row(), keys, sets, calls, levels, statistics);
    }

    @Override
    public RowType row() {
      return GroupedTypes.rowOf(input.row(), keys, sets, calls, levels, statistics);
    }

    @Override
    public List<Relation> inputs() {
      return List.of(input);
    }

    @Override
    public String text() {
      return GroupedTypes.textOf(this);
    }
  }

  /**
   * An aggregate of some values of a group.
   *
   * @param distinct whether each value counts once
   * @param filter a column of booleans: rows where it is not true are left out
   */
  record GroupedCall(AggregateCall call, boolean distinct, Optional<String> filter) {
    public GroupedCall {
      Objects.requireNonNull(call, "call");
      Objects.requireNonNull(filter, "filter");
    }
  }

  /**
   * Which keys are not of a row's grouping: a number with a bit for each key, of which the first
   * one has the highest; 1 where it is not.
   *
   * @param name of the column, an int64
   * @param keys at least one
   */
  record Level(String name, List<String> keys) {
    public Level {
      Objects.requireNonNull(name, "name");
      keys = List.copyOf(keys);
    }
  }

  /** The rows of another relation, each with what it gets of those around it. */
  record Windowed(Relation input, List<WindowCall> calls) implements Relation {
    public Windowed {
      calls = List.copyOf(calls);
      WindowTypes.rowOf(input.row(), calls);
    }

    @Override
    public RowType row() {
      return WindowTypes.rowOf(input.row(), calls);
    }

    @Override
    public List<Relation> inputs() {
      return List.of(input);
    }

    @Override
    public String text() {
      return WindowTypes.textOf(this);
    }
  }

  /**
   * A function of the rows around a row.
   *
   * @param name of its column
   * @param arguments what it is of
   * @param partition columns in which the rows around it are equal to it
   * @param order of these rows
   * @param frame which of them count, where the function is {@linkplain WindowFunction#isFramed()
   *     framed}
   */
  record WindowCall(
      String name,
      WindowFunction function,
      WindowArguments arguments,
      List<String> partition,
      List<SortKey> order,
      WindowFrame frame) {
    public WindowCall {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(function, "function");
      Objects.requireNonNull(frame, "frame");
      partition = List.copyOf(partition);
      order = List.copyOf(order);
      arguments.check(function);
    }
  }

  /**
   * Rows of two relations that match: whose keys are equal, none of them null, and for which the
   * condition is true.
   *
   * @param keys may be none
   * @param condition over the columns of both sides, whose names must all differ
   */
  record Join(
      JoinKind kind,
      Relation left,
      Relation right,
      List<KeyPair> keys,
      Optional<Expression> condition)
      implements Relation {
    public Join {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(condition, "condition");
      keys = List.copyOf(keys);
      RelationTypes.checkJoin(left.row(), right.row(), keys, condition);
    }

    @Override
    public RowType row() {
      return RelationTypes.ofJoin(kind, left.row(), right.row());
    }

    @Override
    public List<Relation> inputs() {
      return List.of(left, right);
    }

    @Override
    public String text() {
      return RelationTypes.textOf(this);
    }
  }

  /** A column of the left side and one of the right side that are compared. */
  record KeyPair(String left, String right) {
    public KeyPair {
      Objects.requireNonNull(left, "left");
      Objects.requireNonNull(right, "right");
    }
  }

  /**
   * The first rows in an order, or just some rows where there are no keys.
   *
   * @param count most rows; all when empty
   * @param offset rows that are left out before
   */
  record Top(Relation input, List<SortKey> keys, OptionalLong count, long offset)
      implements Relation {
    public Top {
      keys = List.copyOf(keys);
      keys.forEach(key -> input.row().field(key.column()));
      if (offset < 0 || (count.isPresent() && count.getAsLong() < 0)) {
        throw new InvalidPlanException(
            "takes " + count + " rows after " + offset + "; neither can be negative");
      }
    }

    @Override
    public RowType row() {
      return input.row();
    }

    @Override
    public List<Relation> inputs() {
      return List.of(input);
    }

    @Override
    public String text() {
      return RelationTypes.textOf(this);
    }
  }

  /** All rows of several relations, column by column; the names are those of the first. */
  record Union(List<Relation> inputs) implements Relation {
    public Union {
      inputs = List.copyOf(inputs);
      RelationTypes.ofUnion(inputs);
    }

    @Override
    public RowType row() {
      return RelationTypes.ofUnion(inputs);
    }

    @Override
    public String text() {
      return "union all";
    }
  }
}
