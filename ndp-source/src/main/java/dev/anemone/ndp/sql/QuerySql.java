// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A query in DuckDB's SQL: each relation a sub-query, and what is {@linkplain RepeatedRelations
 * said again} one that is computed once. Conditions that may fail are asked after those that
 * cannot, whatever their order. The columns of the relation that is the seventh to be said are
 * {@code c7_0}, {@code c7_1} and so on, whatever the query calls them.
 */
public final class QuerySql {

  /** The rows of an input, with columns {@code c0_0}, {@code c0_1} ... */
  private final Map<String, String> inputs;

  private final Set<Relation> repeated;

  /** The columns of inputs that are kept, since they are read at several places. */
  private final Map<String, Set<String>> kept;

  private final Set<String> keptSaid = new HashSet<>();

  /** What has been said of the repeated relations, and the SQL of each, in the order of need. */
  private final Map<Relation, RelationSql> common = new HashMap<>();

  private final List<String> commonSql = new ArrayList<>();

  private int relations;

  private QuerySql(
      Map<String, String> inputs, Set<Relation> repeated, Map<String, Set<String>> kept) {
    this.inputs = inputs;
    this.repeated = repeated;
    this.kept = kept;
  }

  /**
   * The SQL of a query, whose columns are {@code c0_0}, {@code c0_1} ...
   *
   * @param inputs the SQL of each input, with columns of the same names
   * @param dear inputs that cost more to read again than to keep, see {@link RepeatedScans}
   */
  public static String of(RelationalQuery query, Map<String, String> inputs, Set<String> dear) {
    Set<Relation> repeated = RepeatedRelations.of(query.root());
    Map<String, Set<String>> kept = RepeatedScans.of(query.root(), repeated);
    kept.keySet().retainAll(dear);
    QuerySql sql = new QuerySql(inputs, repeated, kept);
    RelationSql rows = sql.rows(query.root());
    String common = sql.commonSql.isEmpty() ? "" : "WITH " + String.join(", ", sql.commonSql) + " ";
    return common + "SELECT " + renamed(rows, 0) + " FROM (" + rows.sql() + ")";
  }

  private RelationSql rows(Relation relation) {
    if (!repeated.contains(relation)) {
      return computed(relation);
    }
    RelationSql once = common.get(relation);
    if (once == null) {
      RelationSql computed = computed(relation);
      String name = "r" + computed.number();
      commonSql.add(name + " AS MATERIALIZED (" + computed.sql() + ")");
      once = new RelationSql("SELECT * FROM " + name, computed.number(), computed.row());
      common.put(relation, once);
    }
    int number = ++relations;
    return new RelationSql("SELECT " + renamed(once, number) + from(once), number, once.row());
  }

  private RelationSql computed(Relation relation) {
    if (relation instanceof Relation.Input input) {
      return ofInput(input);
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

  private RelationSql ofInput(Relation.Input input) {
    RelationSql rows = new RelationSql(inputs.get(input.name()), 0, input.row());
    int number = ++relations;
    Set<String> columns = kept.get(input.name());
    if (columns == null) {
      return new RelationSql("SELECT " + renamed(rows, number) + from(rows), number, input.row());
    }
    String name = SqlText.name("kept " + input.name());
    if (keptSaid.add(input.name())) {
      String needed =
          input.row().fields().stream()
              .map(Field::name)
              .filter(columns::contains)
              .map(rows::column)
              .collect(Collectors.joining(", "));
      commonSql.add(name + " AS MATERIALIZED (SELECT " + needed + from(rows) + ")");
    }
    // Nobody asks for the others.
    IntFunction<String> columnOrNone =
        i -> columns.contains(input.row().fields().get(i).name()) ? rows.column(i) : "NULL";
    return new RelationSql(
        selected(number, rows.width(), columnOrNone) + " FROM " + name, number, input.row());
  }

  private RelationSql ofValues(Relation.Values values) {
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
    return new RelationSql(String.join(" UNION ALL ", selects), number, row);
  }

  private RelationSql ofStep(Relation.Step step) {
    RelationSql input = rows(step.input());
    RelationalOperator operator = step.operator();
    if (operator instanceof Filter filter) {
      return new RelationSql(
          "SELECT * FROM ("
              + input.sql()
              + ") WHERE "
              + input.expressions().ofFilter(filter.condition()),
          input.number(),
          step.row());
    }
    int number = ++relations;
    if (operator instanceof Project project) {
      return new RelationSql(
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

  private static RelationSql ofAggregate(
      Aggregate aggregate, RelationSql input, int number, RowType row) {
    List<String> columns = new ArrayList<>();
    aggregate.groupBy().forEach(key -> columns.add(input.column(key)));
    String keys = String.join(", ", columns);
    for (AggregateCall call : aggregate.calls()) {
      switch (aggregate.phase()) {
        case COMPLETE -> columns.add(CallSql.ofCall(call, "", "", input));
        case PARTIAL -> columns.addAll(AggregateStates.of(call, input.row(), input::column));
        case FINAL -> columns.add(AggregateStates.finished(call, input.row(), input::column));
      }
    }
    return new RelationSql(
        selected(number, columns.size(), columns::get)
            + from(input)
            + (keys.isEmpty() ? "" : " GROUP BY " + keys),
        number,
        row);
  }

  private RelationSql ofGrouped(Relation.Grouped grouped) {
    RelationSql input = rows(grouped.input());
    int number = ++relations;
    List<String> columns = new ArrayList<>();
    grouped.keys().forEach(key -> columns.add(input.column(key)));
    for (Relation.GroupedCall call : grouped.calls()) {
      columns.add(
          CallSql.ofCall(
              call.call(),
              call.distinct() ? "DISTINCT " : "",
              CallSql.filter(call.filter(), input),
              input));
    }
    for (Relation.Level level : grouped.levels()) {
      columns.add(
          SqlText.cast("grouping(" + CallSql.names(level.keys(), input) + ")", SimpleType.INT64));
    }
    grouped.statistics().forEach(statistic -> columns.add(CallSql.ofStatistic(statistic, input)));
    String sets =
        grouped.sets().stream()
            .map(set -> "(" + CallSql.names(set, input) + ")")
            .collect(Collectors.joining(", "));
    return new RelationSql(
        selected(number, columns.size(), columns::get)
            + from(input)
            + " GROUP BY GROUPING SETS ("
            + sets
            + ")",
        number,
        grouped.row());
  }

  private RelationSql ofJoin(Relation.Join join) {
    RelationSql left = rows(join.left());
    RelationSql right = rows(join.right());
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
    return new RelationSql(
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

  private RelationSql ofWindows(Relation.Windowed windowed) {
    RelationSql input = rows(windowed.input());
    int number = ++relations;
    List<String> columns = new ArrayList<>();
    IntStream.range(0, input.width()).mapToObj(input::column).forEach(columns::add);
    for (Relation.WindowCall call : windowed.calls()) {
      columns.add(
          SqlText.cast(
              CallSql.ofWindow(call, input), windowed.row().field(call.name()).type().type()));
    }
    return new RelationSql(
        selected(number, columns.size(), columns::get) + from(input), number, windowed.row());
  }

  private RelationSql ofTop(Relation.Top top) {
    RelationSql input = rows(top.input());
    String keys = CallSql.order(top.keys(), input);
    return new RelationSql(
        "SELECT * FROM ("
            + input.sql()
            + ")"
            + (keys.isEmpty() ? "" : " ORDER BY " + keys)
            + (top.count().isPresent() ? " LIMIT " + top.count().getAsLong() : "")
            + (top.offset() > 0 ? " OFFSET " + top.offset() : ""),
        input.number(),
        top.row());
  }

  private RelationSql ofUnion(Relation.Union union) {
    List<RelationSql> inputs = union.inputs().stream().map(this::rows).toList();
    int number = ++relations;
    return new RelationSql(
        inputs.stream()
            .map(input -> "(SELECT " + renamed(input, number) + from(input) + ")")
            .collect(Collectors.joining(" UNION ALL ")),
        number,
        union.row());
  }

  private static String from(RelationSql rows) {
    return " FROM (" + rows.sql() + ")";
  }

  private static String renamed(RelationSql rows, int number) {
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
