// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.PartialStates;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ir.relational.query.SortKey;
import dev.anemone.ir.relational.query.WindowFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A query in DuckDB's SQL: each relation a sub-query. DuckDB asks a condition that may fail after
 * those that cannot, whatever their order. The columns of the relation that is the seventh to be
 * said are {@code c7_0}, {@code c7_1} and so on, whatever the query calls them.
 */
public final class QuerySql {

  /** The rows of an input, with columns {@code c0_0}, {@code c0_1} ... */
  private final Map<String, String> inputs;

  private int relations;

  private QuerySql(Map<String, String> inputs) {
    this.inputs = inputs;
  }

  /**
   * The SQL of a query, whose columns are {@code c0_0}, {@code c0_1} ...
   *
   * @param inputs the SQL of each input, with columns of the same names
   */
  public static String of(RelationalQuery query, Map<String, String> inputs) {
    Rows rows = new QuerySql(inputs).rows(query.root());
    return "SELECT " + renamed(rows, 0) + " FROM (" + rows.sql() + ")";
  }

  /** The SQL of a relation, and the number in the names of its columns. */
  private record Rows(String sql, int number, RowType row) {
    int width() {
      return row.fields().size();
    }

    String column(int index) {
      return PlanSql.column(number, index);
    }

    String column(String name) {
      return column(row.indexOf(name).orElseThrow());
    }

    ExpressionSql expressions() {
      return new ExpressionSql(row, this::column);
    }
  }

  private Rows rows(Relation relation) {
    if (relation instanceof Relation.Input input) {
      Rows rows = new Rows(inputs.get(input.name()), 0, input.row());
      int number = ++relations;
      return new Rows(
          "SELECT " + renamed(rows, number) + " FROM (" + rows.sql() + ")", number, input.row());
    } else if (relation instanceof Relation.Values values) {
      return ofValues(values);
    } else if (relation instanceof Relation.Step step) {
      return ofStep(step);
    } else if (relation instanceof Relation.Grouped grouped) {
      return ofGrouped(grouped);
    } else if (relation instanceof Relation.Windowed windowed) {
      return ofWindows(windowed);
    } else if (relation instanceof Relation.Join join) {
      return ofJoin(join);
    } else if (relation instanceof Relation.Top top) {
      return ofTop(top);
    } else if (relation instanceof Relation.Union union) {
      return ofUnion(union);
    }
    throw new IllegalStateException("no SQL of a " + relation.getClass().getSimpleName());
  }

  private Rows ofValues(Relation.Values values) {
    int number = ++relations;
    RowType row = values.row();
    List<String> selects = new ArrayList<>();
    for (List<Literal> literals : values.rows()) {
      selects.add(
          selected(
              number,
              literals.size(),
              i -> SqlText.cast(SqlText.literal(literals.get(i)), literals.get(i).type())));
    }
    if (selects.isEmpty()) {
      selects.add(
          selected(
                  number,
                  row.fields().size(),
                  i -> SqlText.cast("NULL", row.fields().get(i).type().type()))
              + " WHERE false");
    }
    return new Rows(String.join(" UNION ALL ", selects), number, row);
  }

  private Rows ofStep(Relation.Step step) {
    Rows input = rows(step.input());
    RelationalOperator operator = step.operator();
    if (operator instanceof Filter filter) {
      return new Rows(
          "SELECT * FROM (" + input.sql() + ") WHERE " + input.expressions().of(filter.condition()),
          input.number(),
          step.row());
    }
    int number = ++relations;
    if (operator instanceof Project project) {
      return new Rows(
          selected(
                  number,
                  project.columns().size(),
                  i -> input.expressions().of(project.columns().get(i).expression()))
              + from(input),
          number,
          step.row());
    }
    return ofAggregate((Aggregate) operator, input, number, step.row());
  }

  private static Rows ofAggregate(Aggregate aggregate, Rows input, int number, RowType row) {
    List<String> columns = new ArrayList<>();
    aggregate.groupBy().forEach(key -> columns.add(input.column(key)));
    String keys = String.join(", ", columns);
    for (AggregateCall call : aggregate.calls()) {
      switch (aggregate.phase()) {
        case COMPLETE -> columns.add(ofCall(call, "", "", input));
        case PARTIAL -> columns.addAll(AggregateStates.of(call, input.row(), input::column));
        case FINAL -> columns.add(AggregateStates.finished(call, input.row(), input::column));
      }
    }
    return new Rows(
        selected(number, columns.size(), columns::get)
            + from(input)
            + (keys.isEmpty() ? "" : " GROUP BY " + keys),
        number,
        row);
  }

  private Rows ofGrouped(Relation.Grouped grouped) {
    Rows input = rows(grouped.input());
    int number = ++relations;
    List<String> columns = new ArrayList<>();
    grouped.keys().forEach(key -> columns.add(input.column(key)));
    for (Relation.GroupedCall call : grouped.calls()) {
      columns.add(
          ofCall(
              call.call(),
              call.distinct() ? "DISTINCT " : "",
              call.filter()
                  .map(filter -> " FILTER (WHERE " + input.column(filter) + ")")
                  .orElse(""),
              input));
    }
    for (Relation.Level level : grouped.levels()) {
      columns.add(SqlText.cast("grouping(" + names(level.keys(), input) + ")", SimpleType.INT64));
    }
    String sets =
        grouped.sets().stream()
            .map(set -> "(" + names(set, input) + ")")
            .collect(Collectors.joining(", "));
    return new Rows(
        selected(number, columns.size(), columns::get)
            + from(input)
            + " GROUP BY GROUPING SETS ("
            + sets
            + ")",
        number,
        grouped.row());
  }

  private static String names(List<String> columns, Rows input) {
    return columns.stream().map(input::column).collect(Collectors.joining(", "));
  }

  /**
   * An aggregate in SQL.
   *
   * @param distinct what stands before the values
   * @param filter what stands behind the function
   */
  private static String ofCall(AggregateCall call, String distinct, String filter, Rows input) {
    if (call.column().isEmpty()) {
      return "count(*)" + filter;
    }
    String argument = input.column(call.column().get());
    DataType type = input.row().field(call.column().get()).type().type();
    Function<String, String> of = function -> function + "(" + distinct + argument + ")" + filter;
    return switch (call.function()) {
      case COUNT -> of.apply("count");
      case MIN -> of.apply("min");
      case MAX -> of.apply("max");
      case SINGLE_VALUE ->
          "(CASE WHEN count(*)"
              + filter
              + " > 1 THEN error('a sub-query that stands for one value has yielded more than one"
              + " row') ELSE "
              + of.apply("min")
              + " END)";
      case SUM -> PlanSql.checkedSum(of.apply("sum"), type, SimpleType.INT64);
      case AVG -> mean(of, type);
    };
  }

  private static String mean(Function<String, String> of, DataType type) {
    if (type == SimpleType.DOUBLE) {
      return of.apply("avg");
    }
    DataType sumType = PartialStates.meanSumType(type);
    return SqlText.cast(
        Quotients.byCount(
            PlanSql.checkedSum(of.apply("sum"), type, sumType),
            (DecimalType) sumType,
            of.apply("count")),
        PartialStates.meanType(sumType));
  }

  private Rows ofJoin(Relation.Join join) {
    Rows left = rows(join.left());
    Rows right = rows(join.right());
    List<String> conditions = new ArrayList<>();
    RowType both = bothSides(left.row(), right.row());
    ExpressionSql expressions =
        new ExpressionSql(
            both, i -> i < left.width() ? left.column(i) : right.column(i - left.width()));
    for (Relation.KeyPair pair : join.keys()) {
      conditions.add(
          expressions.of(
              new Expression.Comparison(
                  Expression.Comparison.Relation.EQUAL,
                  new Expression.Column(pair.left()),
                  new Expression.Column(pair.right()))));
    }
    join.condition().map(expressions::of).ifPresent(conditions::add);
    int number = ++relations;
    List<String> columns = new ArrayList<>();
    IntStream.range(0, left.width()).mapToObj(left::column).forEach(columns::add);
    if (join.kind().hasBothSides()) {
      IntStream.range(0, right.width()).mapToObj(right::column).forEach(columns::add);
    }
    boolean isProduct = conditions.isEmpty() && join.kind() == JoinKind.INNER;
    return new Rows(
        selected(number, columns.size(), columns::get)
            + from(left)
            + (isProduct ? " CROSS JOIN (" : " " + keyword(join.kind()) + " JOIN (")
            + right.sql()
            + ")"
            + (isProduct
                ? ""
                : " ON " + (conditions.isEmpty() ? "true" : String.join(" AND ", conditions))),
        number,
        join.row());
  }

  private static String keyword(JoinKind kind) {
    return switch (kind) {
      case INNER -> "INNER";
      case LEFT -> "LEFT";
      case RIGHT -> "RIGHT";
      case FULL -> "FULL";
      case SEMI -> "SEMI";
      case ANTI -> "ANTI";
    };
  }

  private static RowType bothSides(RowType left, RowType right) {
    List<Field> fields = new ArrayList<>(left.fields());
    fields.addAll(right.fields());
    return new RowType(fields);
  }

  private Rows ofWindows(Relation.Windowed windowed) {
    Rows input = rows(windowed.input());
    int number = ++relations;
    List<String> columns = new ArrayList<>();
    IntStream.range(0, input.width()).mapToObj(input::column).forEach(columns::add);
    for (Relation.WindowCall call : windowed.calls()) {
      columns.add(
          SqlText.cast(
              function(call, input) + " OVER (" + over(call, input) + ")",
              windowed.row().field(call.name()).type().type()));
    }
    return new Rows(
        selected(number, columns.size(), columns::get) + from(input), number, windowed.row());
  }

  private static String function(Relation.WindowCall call, Rows input) {
    String star = call.function() == WindowFunction.COUNT ? "*" : "";
    return call.function().text() + "(" + call.column().map(input::column).orElse(star) + ")";
  }

  private static String over(Relation.WindowCall call, Rows input) {
    List<String> parts = new ArrayList<>();
    if (!call.partition().isEmpty()) {
      parts.add("PARTITION BY " + names(call.partition(), input));
    }
    if (!call.order().isEmpty()) {
      parts.add("ORDER BY " + order(call.order(), input));
    }
    if (call.function().aggregate().isPresent()) {
      parts.add(call.frame().text());
    }
    return String.join(" ", parts);
  }

  private static String order(List<SortKey> keys, Rows input) {
    return keys.stream()
        .map(
            key ->
                input.column(key.column())
                    + (key.descending() ? " DESC" : " ASC")
                    + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"))
        .collect(Collectors.joining(", "));
  }

  private Rows ofTop(Relation.Top top) {
    Rows input = rows(top.input());
    String keys = order(top.keys(), input);
    return new Rows(
        "SELECT * FROM ("
            + input.sql()
            + ")"
            + (keys.isEmpty() ? "" : " ORDER BY " + keys)
            + (top.count().isPresent() ? " LIMIT " + top.count().getAsLong() : "")
            + (top.offset() > 0 ? " OFFSET " + top.offset() : ""),
        input.number(),
        top.row());
  }

  private Rows ofUnion(Relation.Union union) {
    List<Rows> inputs = union.inputs().stream().map(this::rows).toList();
    int number = ++relations;
    return new Rows(
        inputs.stream()
            .map(input -> "(SELECT " + renamed(input, number) + from(input) + ")")
            .collect(Collectors.joining(" UNION ALL ")),
        number,
        union.row());
  }

  private static String from(Rows rows) {
    return " FROM (" + rows.sql() + ")";
  }

  private static String renamed(Rows rows, int number) {
    return columns(number, rows.width(), rows::column);
  }

  private static String selected(int number, int width, IntFunction<String> column) {
    return "SELECT " + columns(number, width, column);
  }

  private static String columns(int number, int width, IntFunction<String> column) {
    return IntStream.range(0, width)
        .mapToObj(i -> column.apply(i) + " AS " + PlanSql.column(number, i))
        .collect(Collectors.joining(", "));
  }
}
