// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is done to the rows of a table, or of another operator. */
public sealed interface RelationalOperator
    permits RelationalOperator.Filter, RelationalOperator.Project, RelationalOperator.Aggregate {

  /**
   * The rows that come out when rows of a type go in.
   *
   * @throws InvalidPlanException when the operator has no meaning for such rows
   */
  RowType outputOf(RowType input);

  /**
   * The columns that it reads to do its own work, which for a filter are not all that it lets pass;
   * for the final half of an aggregate those that the partial half reads.
   */
  Set<String> columnsRead();

  /** The operator in one line, for people. Different operators have different texts. */
  String text();

  /** Lets rows pass for which the condition is true, neither false nor null. */
  record Filter(Expression condition) implements RelationalOperator {
    public Filter {
      Objects.requireNonNull(condition, "condition");
    }

    @Override
    public RowType outputOf(RowType input) {
      new ExpressionTyper(input).requireBoolean(condition);
      return input;
    }

    @Override
    public Set<String> columnsRead() {
      return ExpressionParts.columns(Stream.of(condition));
    }

    @Override
    public String text() {
      return "filter " + ExpressionText.of(condition);
    }
  }

  /** Makes new rows of expressions over the old ones. */
  record Project(List<NamedExpression> columns) implements RelationalOperator {
    public Project {
      columns = List.copyOf(columns);
    }

    @Override
    public RowType outputOf(RowType input) {
      ExpressionTyper typer = new ExpressionTyper(input);
      return new RowType(
          columns.stream()
              .map(column -> new Field(column.name(), typer.typeOf(column.expression())))
              .toList());
    }

    @Override
    public Set<String> columnsRead() {
      return ExpressionParts.columns(columns.stream().map(NamedExpression::expression));
    }

    @Override
    public String text() {
      return "project " + RowText.joined(columns, NamedExpression::text);
    }
  }

  /** A column of a {@link Project}. */
  record NamedExpression(String name, Expression expression) {
    public NamedExpression {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(expression, "expression");
    }

    /** A column as it is. */
    public static NamedExpression column(String name) {
      return new NamedExpression(name, new Expression.Column(name));
    }

    private String text() {
      return expression instanceof Expression.Column column && column.name().equals(name)
          ? Texts.name(name)
          : ExpressionText.of(expression) + " as " + Texts.name(name);
    }
  }

  /**
   * One row for each group of rows that are equal in some columns; null equals null there. Without
   * such columns one row for all, also when there are none.
   *
   * @param phase which half of the work
   * @param groupBy columns that make a group, no doubles; the first columns of the result
   * @param calls the further columns of the result
   */
  record Aggregate(Phase phase, List<String> groupBy, List<AggregateCall> calls)
      implements RelationalOperator {
    public Aggregate {
      Objects.requireNonNull(phase, "phase");
      groupBy = List.copyOf(groupBy);
      calls = List.copyOf(calls);
    }

    /** All of the work at once. */
    public static Aggregate complete(List<String> groupBy, List<AggregateCall> calls) {
      return new Aggregate(Phase.COMPLETE, groupBy, calls);
    }

    /**
     * The half that works on a part of the rows. Its rows have, for each call, what {@link
     * #finalHalf} needs: for an average a sum and a count, else the result for the part.
     *
     * @throws IllegalStateException when this is a half already
     */
    public Aggregate partialHalf() {
      return half(Phase.PARTIAL);
    }

    /**
     * The half that makes the result of the rows of all partial halves.
     *
     * @throws IllegalStateException when this is a half already
     */
    public Aggregate finalHalf() {
      return half(Phase.FINAL);
    }

    private Aggregate half(Phase half) {
      if (phase != Phase.COMPLETE) {
        throw new IllegalStateException("is a half already: " + text());
      }
      return new Aggregate(half, groupBy, calls);
    }

    @Override
    public RowType outputOf(RowType input) {
      return AggregateTypes.outputOf(this, input);
    }

    @Override
    public Set<String> columnsRead() {
      return Stream.concat(groupBy.stream(), calls.stream().flatMap(call -> call.column().stream()))
          .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String text() {
      return "aggregate"
          + (phase == Phase.COMPLETE ? "" : " " + phase.text())
          + (groupBy.isEmpty() ? "" : " by " + RowText.joined(groupBy, Texts::name))
          + (calls.isEmpty() ? "" : ": " + RowText.joined(calls, AggregateCall::text));
    }
  }

  /** Which half of an aggregate's work. */
  enum Phase {
    /** Rows to results. */
    COMPLETE,
    /** A part of the rows to states. */
    PARTIAL,
    /** All states to results. */
    FINAL;

    /** The name in a plan. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
