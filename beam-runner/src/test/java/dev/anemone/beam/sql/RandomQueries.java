// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import dev.anemone.beam.sql.random.RandomSql;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random queries over {@link RandomTables}, which mean the same in Beam SQL and in DuckDB: no
 * quotient of whole numbers, no order without a limit that decides it, nothing that depends on the
 * order of evaluation. A query is the same for the same seed. Not thread-safe.
 */
final class RandomQueries extends RandomSql<RandomQueries.Type> {

  private static final int MOST_SOURCES = 3;

  /** What a column or an expression yields. */
  enum Type {
    WHOLE,
    DECIMAL,
    TEXT,
    DATE;

    /** Names of a table's columns of this type, behind the name of the table. */
    private List<String> columns() {
      return switch (this) {
        case WHOLE -> List.of("k", "n", "id");
        case DECIMAL -> List.of("d");
        case TEXT -> List.of("s");
        case DATE -> List.of("t");
      };
    }
  }

  private int aliases;

  RandomQueries(long seed) {
    super(seed);
  }

  /** The next query. */
  String next() {
    aliases = 0;
    if (chance(6)) {
      List<Type> types = types(1 + random.nextInt(2));
      return rows(types, 1)
          + " "
          + oneOf("UNION ALL", "UNION", "INTERSECT", "EXCEPT")
          + " "
          + rows(types, 1);
    }
    return chance(3) ? groups(0) : rows(types(1 + random.nextInt(4)), 0);
  }

  private List<Type> types(int count) {
    return IntStream.range(0, count).mapToObj(i -> oneOf(Type.values())).toList();
  }

  /** {@code SELECT expressions FROM ... WHERE ...}; columns are named c0, c1 ... */
  private String rows(List<Type> types, int depth) {
    From from = from(depth);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      items.add(value(types.get(i), from.columns(), depth) + " AS c" + i);
    }
    return "SELECT "
        + (chance(6) ? "DISTINCT " : "")
        + String.join(", ", items)
        + " FROM "
        + from.text()
        + where(from.columns(), depth);
  }

  /** {@code SELECT keys, aggregates FROM ... GROUP BY keys HAVING ...}. */
  private String groups(int depth) {
    From from = from(depth);
    List<String> keys = new ArrayList<>();
    for (Type type : types(random.nextInt(3))) {
      keys.add(column(type, from.columns()));
    }
    keys = keys.stream().distinct().toList();
    List<String> items = new ArrayList<>();
    for (String key : keys) {
      items.add(key + " AS c" + items.size());
    }
    int aggregates = 1 + random.nextInt(3);
    for (int i = 0; i < aggregates; i++) {
      items.add(aggregate(from.columns(), depth) + " AS c" + items.size());
    }
    return "SELECT "
        + String.join(", ", items)
        + " FROM "
        + from.text()
        + where(from.columns(), depth)
        + (keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys))
        + (chance(4) ? " HAVING " + aggregate(from.columns(), depth) + " IS NOT NULL" : "");
  }

  private String aggregate(List<Column<Type>> columns, int depth) {
    Type type = oneOf(Type.values());
    String value = value(type, columns, depth + 1);
    return switch (random.nextInt(type == Type.WHOLE || type == Type.DECIMAL ? 7 : 4)) {
      case 0 -> "COUNT(*)";
      case 1 -> "COUNT(" + (chance(3) ? "DISTINCT " : "") + value + ")";
      case 2 -> "MIN(" + value + ")";
      case 3 -> "MAX(" + value + ")";
      case 4 -> "SUM(" + value + ")";
      case 5 -> oneOf("STDDEV_SAMP", "STDDEV_POP", "VAR_SAMP", "VAR_POP") + "(" + value + ")";
      default -> type == Type.DECIMAL ? "AVG(" + value + ")" : "SUM(" + value + ")";
    };
  }

  /** What is read, and its columns. */
  private record From(String text, List<Column<Type>> columns) {}

  private From from(int depth) {
    From from = source(depth);
    int more = random.nextInt(depth == 0 ? MOST_SOURCES : 2);
    for (int i = 0; i < more; i++) {
      From right = source(depth);
      List<Column<Type>> both = new ArrayList<>(from.columns());
      both.addAll(right.columns());
      Type key = oneOf(Type.values());
      String equal = column(key, from.columns()) + " = " + column(key, right.columns());
      String condition = chance(3) ? equal + " AND " + comparison(both) : equal;
      String join = oneOf("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
      from = new From(from.text() + " " + join + " " + right.text() + " ON " + condition, both);
    }
    return from;
  }

  private From source(int depth) {
    String alias = "t" + aliases++;
    if (depth < MOST_DEPTH && chance(5)) {
      List<Type> all = List.of(Type.values());
      String query = rows(all, depth + 1);
      List<Column<Type>> columns =
          IntStream.range(0, all.size())
              .mapToObj(i -> new Column<>(alias + ".c" + i, all.get(i)))
              .toList();
      return new From("(" + query + ") AS " + alias, columns);
    }
    String table = oneOf("a", "b", "c");
    List<Column<Type>> columns = new ArrayList<>();
    for (Type type : Type.values()) {
      for (String column : type.columns()) {
        columns.add(new Column<>(alias + "." + table + "_" + column, type));
      }
    }
    return new From(table + " AS " + alias, columns);
  }

  private String where(List<Column<Type>> columns, int depth) {
    return chance(3) ? "" : " WHERE " + condition(columns, depth);
  }

  private String condition(List<Column<Type>> columns, int depth) {
    int kinds = depth < MOST_DEPTH ? 11 : 8;
    return switch (random.nextInt(kinds)) {
      case 0 -> "(" + condition(columns, depth + 1) + " AND " + condition(columns, depth + 1) + ")";
      case 1 -> "(" + condition(columns, depth + 1) + " OR " + condition(columns, depth + 1) + ")";
      case 2 -> "NOT (" + comparison(columns) + ")";
      case 3 -> column(oneOf(Type.values()), columns) + oneOf(" IS NULL", " IS NOT NULL");
      case 4 ->
          column(Type.TEXT, columns) + oneOf(" LIKE ", " NOT LIKE ") + oneOf("'p%'", "'%q'", "'_'");
      case 5 ->
          column(Type.WHOLE, columns) + oneOf(" IN ", " NOT IN ") + "(1, 3, " + wholeNumber() + ")";
      case 6 ->
          value(Type.DECIMAL, columns, depth + 1) + " BETWEEN 0.5 AND " + literal(Type.DECIMAL);
      case 8 -> oneOf("", "NOT ") + "EXISTS (" + related(columns, depth + 1) + ")";
      case 9 -> {
        Type type = oneOf(Type.values());
        yield column(type, columns)
            + oneOf(" IN ", " NOT IN ")
            + "("
            + rows(List.of(type), depth + 1)
            + ")";
      }
      case 10 -> {
        From from = from(MOST_DEPTH);
        String smallest = oneOf("MIN", "MAX") + "(" + column(Type.DECIMAL, from.columns()) + ")";
        yield column(Type.DECIMAL, columns)
            + oneOf(" < ", " >= ")
            + "(SELECT "
            + smallest
            + " FROM "
            + from.text()
            + where(from.columns(), MOST_DEPTH)
            + ")";
      }
      default -> comparison(columns);
    };
  }

  /** A sub-query that refers to the query around it by an equality. */
  private String related(List<Column<Type>> outer, int depth) {
    From from = source(MOST_DEPTH);
    Type key = oneOf(Type.values());
    return "SELECT 1 FROM "
        + from.text()
        + " WHERE "
        + column(key, from.columns())
        + " = "
        + column(key, outer)
        + (chance(2) ? " AND " + condition(from.columns(), Math.max(depth, MOST_DEPTH)) : "");
  }

  @Override
  protected String comparison(List<Column<Type>> columns) {
    Type type = oneOf(Type.values());
    String right = chance(2) ? literal(type) : column(type, columns);
    return column(type, columns) + oneOf(" = ", " <> ", " < ", " >= ") + right;
  }

  @Override
  protected String value(Type type, List<Column<Type>> columns, int depth) {
    if (depth > MOST_DEPTH || chance(2)) {
      return chance(8) ? literal(type) : column(type, columns);
    }
    Optional<String> chosen = chosen(type, columns, depth, 4);
    if (chosen.isPresent()) {
      return chosen.get();
    }
    if (chance(6)) {
      // Of a column: Calcite takes it back that a NULLIF of literals may be NULL, and then asserts
      // that it did not.
      return "NULLIF(" + column(type, columns) + ", " + literal(type) + ")";
    }
    String first = value(type, columns, depth + 1);
    return switch (type) {
      case WHOLE ->
          switch (random.nextInt(5)) {
            case 0 ->
                "EXTRACT("
                    + oneOf("YEAR", "MONTH", "DAY")
                    + " FROM "
                    + value(Type.DATE, columns, depth + 1)
                    + ")";
            case 1 -> "CHAR_LENGTH(" + value(Type.TEXT, columns, depth + 1) + ")";
            case 2 -> "ABS(" + first + ")";
            case 3 -> "MOD(" + first + ", 3)";
            default -> "(" + first + oneOf(" + ", " - ", " * ") + column(type, columns) + ")";
          };
      case DECIMAL -> "(" + first + oneOf(" + ", " - ") + column(type, columns) + ")";
      case TEXT ->
          switch (random.nextInt(4)) {
            case 0 -> "UPPER(" + first + ")";
            case 1 -> "SUBSTRING(" + first + ", 1, 1)";
            case 2 -> "TRIM(" + first + ")";
            default -> "(" + first + " || " + value(type, columns, depth + 1) + ")";
          };
      // Without the cast DuckDB yields a timestamp.
      case DATE ->
          "CAST("
              + first
              + oneOf(" + ", " - ")
              + "INTERVAL '2' "
              + oneOf("DAY", "MONTH", "YEAR")
              + " AS DATE)";
    };
  }

  @Override
  protected String literal(Type type) {
    return switch (type) {
      case WHOLE -> wholeNumber();
      case DECIMAL -> random.nextInt(200) + "." + random.nextInt(10) + "5";
      case TEXT -> oneOf("'p'", "'q'", "'rr'", "''");
      case DATE -> "DATE '1995-02-0" + (1 + random.nextInt(9)) + "'";
    };
  }

  private String wholeNumber() {
    return String.valueOf(random.nextInt(9));
  }

  @Override
  protected String column(Type type, List<Column<Type>> columns) {
    List<String> names =
        columns.stream()
            .filter(column -> column.type() == type)
            .map(Column::name)
            .collect(Collectors.toList());
    return names.get(random.nextInt(names.size()));
  }
}
