// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import dev.anemone.beam.sql.random.RandomSql;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Random queries over {@link LimitTables}, which may fail because a number does not fit or is
 * divided by zero. A query is the same for the same seed. Not thread-safe.
 */
final class LimitQueries extends RandomSql<LimitQueries.Type> {

  /** What a column or an expression yields. */
  enum Type {
    INT,
    LONG,
    DECIMAL,
    WIDE,
    DOUBLE,
    TEXT,
    DATE,
    TIME,
    BOOL;

    /** Names of a table's columns of this type, behind the name of the table. */
    private List<String> columns() {
      return switch (this) {
        case INT -> List.of("n");
        case LONG -> List.of("k", "l", "id");
        case DECIMAL -> List.of("d");
        case WIDE -> List.of("w");
        case DOUBLE -> List.of("x");
        case TEXT -> List.of("s");
        case DATE -> List.of("t");
        case TIME -> List.of("z");
        case BOOL -> List.of("b");
      };
    }
  }

  /** What has to be known of a query to judge an answer. */
  enum Trait {
    /** Its rows come in one order only. */
    ORDERED,
    /** It compares doubles or texts. */
    COMPARES,
    /** It divides doubles, or multiplies them, which may yield what is no number, or not finite. */
    ODD,
    /** It computes with decimals, which have at most 38 digits in columns. */
    DECIMALS,
    /** A quotient stands beside the condition by which it is none by zero. */
    GUARDED,
    /** It leaves rows out, and what is asked of these need not be computed. */
    LIMITED,
    /** It has columns, or pairs of rows, that nothing has to be computed of. */
    NESTED,
    /** It is a union without duplicates, an intersection or a difference. */
    SET,
    /** It has a row for all rows, also where there are none. */
    TOTAL
  }

  /** A query. */
  record Query(String sql, Set<Trait> traits) {

    Query {
      traits = Set.copyOf(traits);
    }

    boolean is(Trait trait) {
      return traits.contains(trait);
    }
  }

  /** What is read, and its columns. */
  private record From(String text, List<Column<Type>> columns) {}

  private int aliases;
  private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

  LimitQueries(long seed) {
    super(seed);
  }

  /** The next query. */
  Query next() {
    aliases = 0;
    traits.clear();
    String sql;
    switch (random.nextInt(10)) {
      case 0 -> sql = setOperation();
      case 1, 2, 3 -> sql = groups();
      case 4 -> sql = levels();
      case 5 -> sql = windows();
      case 6 -> {
        sql = first();
        traits.add(Trait.ORDERED);
      }
      default -> sql = rows(types(1 + random.nextInt(3)), chance(2) ? MOST_DEPTH : 0);
    }
    return new Query(sql, traits);
  }

  private List<Type> types(int count) {
    return IntStream.range(0, count).mapToObj(i -> anyType()).toList();
  }

  private Type anyType() {
    return oneOf(Type.values());
  }

  private String setOperation() {
    List<Type> types = types(1 + random.nextInt(2));
    String operator = oneOf("UNION ALL", "UNION", "INTERSECT", "EXCEPT");
    if (operator.equals("INTERSECT") || operator.equals("EXCEPT")) {
      traits.add(Trait.LIMITED);
    }
    if (!operator.equals("UNION ALL")) {
      traits.add(Trait.SET);
      types.forEach(this::compares);
      if (types.contains(Type.DECIMAL) || types.contains(Type.WIDE)) {
        traits.add(Trait.DECIMALS);
      }
    }
    return rows(types, 1) + " " + operator + " " + rows(types, 1);
  }

  private String rows(List<Type> types, int depth) {
    From from = from(depth);
    List<String> items = new ArrayList<>();
    for (Type type : types) {
      items.add(value(type, from.columns(), depth) + " AS c" + items.size());
    }
    boolean distinct = chance(6);
    if (distinct) {
      types.forEach(this::compares);
    }
    return "SELECT "
        + (distinct ? "DISTINCT " : "")
        + String.join(", ", items)
        + " FROM "
        + from.text()
        + where(from.columns(), depth);
  }

  /** The first rows by a value and, where that is the same, by the key. */
  private String first() {
    From from = table();
    Type by = anyType();
    compares(by);
    String id = column(Type.LONG, from.columns(), "_id");
    String key = value(by, from.columns(), MOST_DEPTH);
    String limit = oneOf("", " LIMIT 3", " LIMIT 5 OFFSET 2", " LIMIT 100 OFFSET 4");
    if (!limit.isEmpty()) {
      traits.add(Trait.LIMITED);
    }
    return "SELECT "
        + id
        + " AS c0, "
        + key
        + " AS c1, "
        + value(anyType(), from.columns(), 0)
        + " AS c2 FROM "
        + from.text()
        + where(from.columns(), MOST_DEPTH)
        + " ORDER BY "
        + (chance(2) ? "c1" : key)
        + oneOf("", " DESC", " NULLS FIRST", " NULLS LAST", " DESC NULLS LAST")
        + ", "
        + id
        + limit;
  }

  private String groups() {
    From from = from(0);
    List<String> keys = keys(from);
    List<String> items = new ArrayList<>();
    for (String key : keys) {
      items.add(key + " AS c" + items.size());
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      items.add(aggregate(from.columns()) + " AS c" + items.size());
    }
    return "SELECT "
        + String.join(", ", items)
        + " FROM "
        + from.text()
        + where(from.columns(), 0)
        + (keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys))
        + (chance(4) ? " HAVING " + aggregate(from.columns()) + " IS NOT NULL" : "");
  }

  private List<String> keys(From from) {
    List<String> keys = new ArrayList<>();
    for (Type type : types(random.nextInt(3))) {
      compares(type);
      keys.add(column(type, from.columns()));
    }
    return keys.stream().distinct().toList();
  }

  /** A grouping of several levels. */
  private String levels() {
    From from = table();
    Type one = anyType();
    Type other = oneOf(Type.INT, Type.TEXT, Type.DATE, Type.BOOL);
    compares(one);
    String first = column(one, from.columns());
    String second = column(other, from.columns());
    if (first.equals(second)) {
      second = column(Type.LONG, from.columns(), "_k");
    }
    String both = first + ", " + second;
    traits.add(Trait.TOTAL);
    return "SELECT "
        + first
        + " AS c0, "
        + second
        + " AS c1, GROUPING("
        + first
        + ") AS c2, "
        // Of several levels with DISTINCT Calcite's engine mistakes one level for another.
        + aggregate(from.columns()).replace("DISTINCT ", "")
        + " AS c3 FROM "
        + from.text()
        + where(from.columns(), MOST_DEPTH)
        + " GROUP BY "
        + oneOf(
            "ROLLUP (" + both + ")",
            "CUBE (" + both + ")",
            "GROUPING SETS ((" + both + "), (" + second + "), ())");
  }

  /** An analytic function, whose order is one of all rows of a partition. */
  private String windows() {
    From from = table();
    Type by = anyType();
    compares(by);
    Type key = anyType();
    compares(key);
    String partition = chance(4) ? "" : "PARTITION BY " + column(key, from.columns());
    String order =
        " ORDER BY "
            + column(by, from.columns())
            + oneOf("", " DESC", " NULLS FIRST", " DESC NULLS LAST");
    String id = column(Type.LONG, from.columns(), "_id");
    // Calcite's engine lets a sum of whole numbers over a window overflow.
    String summed = column(Type.DECIMAL, from.columns());
    String value = column(oneOf(Type.INT, Type.LONG, Type.DATE), from.columns());
    String number = column(oneOf(Type.INT, Type.LONG), from.columns());
    String inOneOrder = ") OVER (" + partition + order + ", " + id;
    String function =
        switch (random.nextInt(9)) {
          case 6 -> oneOf("LAG(", "LEAD(") + value + oneOf("", ", 0", ", 3") + inOneOrder + ")";
          case 7 -> oneOf("LAG(", "LEAD(") + number + ", 2, -1" + inOneOrder + ")";
          case 8 ->
              oneOf("FIRST_VALUE(", "LAST_VALUE(")
                  + value
                  + inOneOrder
                  + " ROWS BETWEEN 1 PRECEDING AND "
                  + oneOf("CURRENT ROW)", "2 FOLLOWING)");
          case 0 -> "RANK() OVER (" + partition + order + ")";
          case 1 -> "DENSE_RANK() OVER (" + partition + order + ")";
          case 2 -> "ROW_NUMBER() OVER (" + partition + order + ", " + id + ")";
          case 3 -> oneOf("MIN(", "MAX(", "COUNT(") + value + ") OVER (" + partition + ")";
          case 4 -> oneOf("SUM(", "COUNT(") + summed + ") OVER (" + partition + order + ")";
          default ->
              oneOf("SUM(" + summed, "MAX(" + value, "COUNT(" + value)
                  + inOneOrder
                  + " ROWS BETWEEN "
                  + oneOf("UNBOUNDED PRECEDING", "2 PRECEDING")
                  + " AND CURRENT ROW)";
        };
    return "SELECT "
        + id
        + " AS c0, "
        + function
        + " AS c1 FROM "
        + from.text()
        + where(from.columns(), MOST_DEPTH);
  }

  private String aggregate(List<Column<Type>> columns) {
    Type type = anyType();
    String value = value(type, columns, 1);
    String filter = chance(6) ? " FILTER (WHERE " + comparison(columns) + ")" : "";
    String distinct = chance(4) ? "DISTINCT " : "";
    boolean summable =
        type == Type.INT || type == Type.LONG || type == Type.DECIMAL || type == Type.WIDE;
    String function =
        switch (random.nextInt(summable ? 8 : 4)) {
          case 0 -> "COUNT(*)";
          case 1 -> "COUNT(" + distinct + value + ")";
          case 2 -> "MIN(" + value + ")";
          case 3 -> "MAX(" + value + ")";
          case 4, 5 -> "SUM(" + distinct + value + ")";
          default -> "AVG(" + distinct + value + ")";
        };
    compares(type);
    if (summable) {
      traits.add(Trait.DECIMALS);
    }
    return function + filter;
  }

  private From from(int depth) {
    From from = source(depth);
    int more = random.nextInt(2);
    for (int i = 0; i < more; i++) {
      From right = source(depth);
      List<Column<Type>> both = new ArrayList<>(from.columns());
      both.addAll(right.columns());
      Type key = anyType();
      compares(key);
      String equal = column(key, from.columns()) + " = " + column(key, right.columns());
      String condition = chance(3) ? equal + " AND " + comparison(both) : equal;
      traits.add(Trait.NESTED);
      String join = oneOf("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
      from = new From(from.text() + " " + join + " " + right.text() + " ON " + condition, both);
    }
    return from;
  }

  private From source(int depth) {
    if (depth < MOST_DEPTH && chance(6)) {
      List<Type> all = List.of(Type.values());
      String query = rows(all, MOST_DEPTH);
      traits.add(Trait.NESTED);
      String alias = "t" + aliases++;
      return new From(
          "(" + query + ") AS " + alias,
          IntStream.range(0, all.size())
              .mapToObj(i -> new Column<>(alias + ".c" + i, all.get(i)))
              .toList());
    }
    return table();
  }

  private From table() {
    String alias = "t" + aliases++;
    String table = oneOf("a", "a", "b", "c");
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
    return switch (random.nextInt(depth < MOST_DEPTH ? 10 : 8)) {
      case 0 -> guarded(columns);
      case 1 -> column(anyType(), columns) + oneOf(" IS NULL", " IS NOT NULL");
      case 2 -> {
        compares(Type.TEXT);
        yield value(Type.TEXT, columns, 1)
            + oneOf(" LIKE ", " NOT LIKE ")
            + oneOf("'p%'", "'%\u00e4'", "'_'", "'% '", "''", "'!%' ESCAPE '!'");
      }
      case 3 ->
          column(Type.INT, columns)
              + oneOf(" IN ", " NOT IN ")
              + "(1, 3, "
              + literal(Type.INT)
              + ")";
      case 4 -> column(Type.BOOL, columns) + oneOf("", " IS TRUE", " IS NOT FALSE", " IS UNKNOWN");
      case 5 -> "NOT (" + comparison(columns) + ")";
      case 8 -> "(" + condition(columns, depth + 1) + " AND " + condition(columns, depth + 1) + ")";
      case 9 -> "(" + condition(columns, depth + 1) + " OR " + condition(columns, depth + 1) + ")";
      default -> comparison(columns);
    };
  }

  /** A quotient, and a condition by which it is never one by zero, in any order. */
  private String guarded(List<Column<Type>> columns) {
    Type type = oneOf(Type.INT, Type.LONG, Type.DECIMAL);
    String divisor = column(type, columns);
    traits.add(Trait.GUARDED);
    String zero = divisor + " <> 0";
    String quotient = "100 / " + divisor + oneOf(" > 3", " < 20", " <> 7");
    return chance(2)
        ? "(" + zero + " AND " + quotient + ")"
        : "(" + quotient + " AND " + zero + ")";
  }

  @Override
  protected String comparison(List<Column<Type>> columns) {
    Type type = anyType();
    compares(type);
    String right = chance(2) ? literal(type) : column(type, columns);
    String relation =
        type == Type.BOOL ? oneOf(" = ", " <> ") : oneOf(" = ", " <> ", " < ", " >= ");
    return value(type, columns, MOST_DEPTH) + relation + right;
  }

  @Override
  protected String value(Type type, List<Column<Type>> columns, int depth) {
    if (depth > MOST_DEPTH || chance(2)) {
      return chance(8) ? literal(type) : column(type, columns);
    }
    Optional<String> chosen = chosen(type, columns, depth, 5);
    if (chosen.isPresent()) {
      return chosen.get();
    }
    if (chance(6)) {
      compares(type);
      return "NULLIF(" + column(type, columns) + ", " + literal(type) + ")";
    }
    String first = value(type, columns, depth + 1);
    if (type == Type.DECIMAL || type == Type.WIDE) {
      traits.add(Trait.DECIMALS);
    }
    return switch (type) {
      case INT, LONG -> whole(type, first, columns, depth);
      case DECIMAL ->
          switch (random.nextInt(6)) {
            case 0 -> "(" + first + " * " + column(type, columns) + ")";
            case 1 -> "(" + first + " / " + column(type, columns) + ")";
            case 2 -> "ROUND(" + first + ", 1)";
            case 3 -> oneOf("ABS(", "-(") + first + ")";
            default -> "(" + first + oneOf(" + ", " - ") + column(type, columns) + ")";
          };
      case WIDE ->
          switch (random.nextInt(3)) {
            case 0 -> oneOf("ABS(", "-(") + first + ")";
            case 1 -> "CAST(" + value(Type.LONG, columns, depth + 1) + " AS DECIMAL)";
            default -> "(" + first + oneOf(" + ", " - ") + column(type, columns) + ")";
          };
      case DOUBLE ->
          switch (random.nextInt(5)) {
            case 0 -> oneOf("ABS(", "-(", "FLOOR(", "CEIL(") + first + ")";
            case 1 ->
                "CAST("
                    + value(oneOf(Type.INT, Type.LONG, Type.DECIMAL), columns, depth + 1)
                    + " AS DOUBLE)";
            case 2 -> {
              traits.add(Trait.ODD);
              yield "(" + first + " / " + column(type, columns) + ")";
            }
            default -> {
              String operator = oneOf(" + ", " - ", " * ");
              if (operator.equals(" * ")) {
                traits.add(Trait.ODD);
              }
              yield "(" + first + operator + column(type, columns) + ")";
            }
          };
      case TEXT ->
          switch (random.nextInt(5)) {
            case 0 -> "SUBSTRING(" + first + ", " + oneOf("1, 1", "2", "2, 3", "1, 0") + ")";
            case 1 -> oneOf("TRIM(", "TRIM(LEADING FROM ", "TRIM(TRAILING 'p' FROM ") + first + ")";
            case 2 -> "UPPER(" + first + ")";
            default -> "(" + first + " || " + value(type, columns, depth + 1) + ")";
          };
      case DATE ->
          chance(3)
              ? "CAST(" + value(Type.TIME, columns, depth + 1) + " AS DATE)"
              : "("
                  + first
                  + oneOf(" + ", " - ")
                  + "INTERVAL '2' "
                  + oneOf("DAY", "MONTH", "YEAR")
                  + ")";
      case TIME ->
          chance(3)
              ? "CAST(" + value(Type.DATE, columns, depth + 1) + " AS TIMESTAMP)"
              : "("
                  + first
                  + oneOf(" + ", " - ")
                  + "INTERVAL '3' "
                  + oneOf("SECOND", "HOUR", "DAY", "MONTH")
                  + ")";
      case BOOL -> "(" + condition(columns, MOST_DEPTH) + ")";
    };
  }

  private String whole(Type type, String first, List<Column<Type>> columns, int depth) {
    return switch (random.nextInt(type == Type.INT ? 6 : 8)) {
      case 0 -> "(" + first + " * " + column(type, columns) + ")";
      case 1 -> "(" + first + " / " + column(type, columns) + ")";
      case 2 -> "MOD(" + first + ", " + oneOf("3", "-2", column(type, columns)) + ")";
      case 3 -> oneOf("ABS(", "-(") + first + ")";
      case 6 ->
          "EXTRACT("
              + oneOf("YEAR", "QUARTER", "MONTH", "DAY")
              + " FROM "
              + value(oneOf(Type.DATE, Type.TIME), columns, depth + 1)
              + ")";
      case 7 ->
          "CAST("
              + value(oneOf(Type.INT, Type.DECIMAL, Type.WIDE), columns, depth + 1)
              + " AS BIGINT)";
      default -> "(" + first + oneOf(" + ", " - ") + column(type, columns) + ")";
    };
  }

  @Override
  protected String literal(Type type) {
    return switch (type) {
      case INT -> oneOf("0", "1", "3", "-1", "2147483647");
      case LONG -> oneOf("0", "2", "-1", "9223372036854775807");
      case DECIMAL -> oneOf("0.00", "1.5", "-0.5", "99999999999999.9999");
      case WIDE -> oneOf("0.0", "2147483648.5", "9999999999999999999999999999.9");
      case DOUBLE -> oneOf("0E0", "1.25E0", "-1E300");
      case TEXT -> oneOf("'p'", "'p '", "''", "'P'", "'pqr'", "'q'");
      case DATE -> oneOf("DATE '1995-02-03'", "DATE '1969-12-31'", "DATE '2000-02-29'");
      case TIME ->
          oneOf("TIMESTAMP '1995-01-02 01:00:00.001'", "TIMESTAMP '1969-12-31 23:59:59.999'");
      case BOOL -> oneOf("TRUE", "FALSE");
    };
  }

  private void compares(Type type) {
    if (type == Type.DOUBLE || type == Type.TEXT) {
      traits.add(Trait.COMPARES);
    }
  }

  @Override
  protected String column(Type type, List<Column<Type>> columns) {
    return column(type, columns, "");
  }

  private String column(Type type, List<Column<Type>> columns, String end) {
    List<String> names =
        columns.stream()
            .filter(column -> column.type() == type && column.name().endsWith(end))
            .map(Column::name)
            .toList();
    return names.get(random.nextInt(names.size()));
  }
}
