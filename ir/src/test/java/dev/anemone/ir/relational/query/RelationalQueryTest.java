// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.ScalarFunction;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.json.QueryJson;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RelationalQueryTest {

  private static final Relation.Input ORDERS =
      new Relation.Input(
          "orders",
          RowType.of(
              Field.required("o_key", SimpleType.INT64),
              Field.required("o_price", new DecimalType(15, 2))));

  private static final Relation.Input LINES =
      new Relation.Input(
          "lines",
          RowType.of(
              Field.required("l_order", SimpleType.INT64),
              Field.nullable("l_text", SimpleType.STRING)));

  private static Relation.Join join(JoinKind kind) {
    return new Relation.Join(
        kind,
        ORDERS,
        LINES,
        List.of(new Relation.KeyPair("o_key", "l_order")),
        Optional.of(new Expression.Like(new Expression.Column("l_text"), "a%", Optional.empty())));
  }

  @Test
  void aSideWithoutAMatchIsNull() {
    assertThat(join(JoinKind.INNER).row().toString())
        .isEqualTo(
            "(o_key int64 not null, o_price decimal(15,2) not null, l_order int64 not null,"
                + " l_text string)");
    assertThat(join(JoinKind.LEFT).row().field("l_order").type().nullable()).isTrue();
    assertThat(join(JoinKind.LEFT).row().field("o_key").type().nullable()).isFalse();
    assertThat(join(JoinKind.RIGHT).row().field("o_key").type().nullable()).isTrue();
    assertThat(join(JoinKind.FULL).row().fields()).allMatch(field -> field.type().nullable());
    assertThat(join(JoinKind.SEMI).row()).isEqualTo(ORDERS.row());
    assertThat(join(JoinKind.ANTI).row()).isEqualTo(ORDERS.row());
  }

  @Test
  void aQueryIsWrittenAsATree() {
    Relation.Step counted =
        Relation.Step.of(
            RelationalOperator.Aggregate.complete(
                List.of("o_key"), List.of(AggregateCall.countRows("n"))),
            join(JoinKind.INNER));
    RelationalQuery query =
        new RelationalQuery(
            new Relation.Top(
                counted, List.of(new SortKey("n", true, false)), OptionalLong.of(10), 5));
    assertThat(query.text())
        .isEqualTo(
            """
            first 10 after 5 by n desc nulls last
              aggregate by o_key: count(*) as n
                inner join by o_key = l_order where (l_text like 'a%')
                  input orders (o_key int64 not null, o_price decimal(15,2) not null)
                  input lines (l_order int64 not null, l_text string)""");
    assertThat(query.line())
        .isEqualTo(
            "first 10 after 5 by n desc nulls last {aggregate by o_key: count(*) as n {inner join"
                + " by o_key = l_order where (l_text like 'a%') {orders; lines}}}");
    assertThat(RelationalFunctions.queryOf(RelationalFunctions.specOf(query))).contains(query);
    assertThat(query.inputs()).containsOnlyKeys("orders", "lines");
  }

  @Test
  void whatIsWrittenIsRead() {
    Relation.Step project =
        Relation.Step.of(
            new RelationalOperator.Project(
                List.of(
                    new NamedExpression(
                        "half",
                        Expression.Call.of(
                            ScalarFunction.QUOTIENT,
                            new Expression.Column("o_price"),
                            Literal.of(new java.math.BigDecimal("2.0")))))),
            ORDERS);
    Relation.Values values =
        new Relation.Values(
            project.row(),
            List.of(
                List.of(
                    Literal.parse(
                        project.row().fields().get(0).type().type(), "0.5000000000000000"))));
    for (JoinKind kind : JoinKind.values()) {
      RelationalQuery query = new RelationalQuery(join(kind));
      assertThat(QueryJson.read(QueryJson.write(query))).isEqualTo(query);
    }
    RelationalQuery query =
        new RelationalQuery(
            new Relation.Top(
                new Relation.Union(List.of(project, values)),
                List.of(new SortKey("half", false, true)),
                OptionalLong.empty(),
                3));
    assertThat(QueryJson.read(QueryJson.write(query))).isEqualTo(query);
  }

  @Test
  void severalGroupingsAreOneRelation() {
    Relation.Input sales =
        new Relation.Input(
            "sales",
            RowType.of(
                Field.required("year", SimpleType.INT32),
                Field.required("shop", SimpleType.STRING),
                Field.required("sold", SimpleType.BOOLEAN),
                Field.required("price", SimpleType.DOUBLE),
                Field.required("tax", SimpleType.DOUBLE)));
    Relation.Grouped rollup =
        new Relation.Grouped(
            sales,
            List.of("year", "shop"),
            List.of(List.of("year", "shop"), List.of("year"), List.of()),
            List.of(
                new Relation.GroupedCall(
                    AggregateCall.of("shops", AggregateFunction.COUNT, "shop"),
                    true,
                    Optional.of("sold")),
                new Relation.GroupedCall(
                    AggregateCall.of("last", AggregateFunction.MAX, "year"),
                    false,
                    Optional.empty())),
            List.of(new Relation.Level("level", List.of("year", "shop"))),
            List.of(
                new Statistic.Quantile("median", "year", false, 0.5, true, Optional.of("sold")),
                new Statistic.Spread(
                    "like",
                    SpreadFunction.CORR,
                    List.of("price", "tax"),
                    false,
                    Optional.of("sold")),
                new Statistic.Spread(
                    "wide", SpreadFunction.VAR_SAMP, List.of("tax"), true, Optional.empty())));
    assertThat(rollup.row().toString())
        .isEqualTo(
            "(year int32, shop string, shops int64 not null, last int32, level int64 not null,"
                + " median int32, like double, wide double)");
    RelationalQuery query = new RelationalQuery(rollup);
    assertThat(query.text())
        .startsWith(
            "aggregate by (year, shop), (year), (): distinct count(shop) as shops where sold,"
                + " max(year) as last, grouping(year, shop) as level, percentile_disc(0.5) of year"
                + " desc as median where sold, corr(price, tax) as like where sold,"
                + " var_samp(distinct tax) as wide\n");
    assertThat(QueryJson.read(QueryJson.write(query))).isEqualTo(query);
    refused(
        () ->
            new Relation.Grouped(
                sales, List.of("year"), List.of(List.of("shop")), List.of(), List.of(), List.of()),
        "groups by shop, which is none of the keys [year]");
  }

  @Test
  void statisticsThatHaveNoMeaningAreRefused() {
    refused(() -> quantile("o_price", true, 0.5), "is of a decimal(15,2); a double is needed");
    refused(() -> quantile("o_key", false, 1.5), "is 1.5; it lies between 0 and 1");
    refused(() -> quantile("o_key", false, Double.NaN), "is NaN; it lies between 0 and 1");
    refused(() -> quantile("o_none", false, 0.5), "o_none");
    refused(
        () -> spread(SpreadFunction.CORR, List.of("o_price")), "a corr is of 2 columns, not of 1");
    refused(
        () -> spread(SpreadFunction.VAR_POP, List.of("o_price")),
        "is of a decimal(15,2); a double is needed");
    refused(
        () ->
            statistic(
                new Statistic.Quantile("q", "o_key", false, 0.5, false, Optional.of("o_key"))),
        "is filtered by o_key, which is no boolean");
  }

  private static Relation spread(SpreadFunction function, List<String> columns) {
    return statistic(new Statistic.Spread("s", function, columns, false, Optional.empty()));
  }

  private static Relation quantile(String column, boolean continuous, double fraction) {
    return statistic(
        new Statistic.Quantile("q", column, continuous, fraction, false, Optional.empty()));
  }

  private static Relation statistic(Statistic statistic) {
    return new Relation.Grouped(
        ORDERS, List.of(), List.of(List.of()), List.of(), List.of(), List.of(statistic));
  }

  @Test
  void windowsAddColumns() {
    WindowFrame lastThree =
        new WindowFrame(
            WindowFrame.Unit.ROWS,
            new WindowFrame.Bound(WindowFrame.Side.PRECEDING, 2),
            new WindowFrame.Bound(WindowFrame.Side.FOLLOWING, 0));
    Relation.Windowed windowed =
        new Relation.Windowed(
            ORDERS,
            List.of(
                new Relation.WindowCall(
                    "place",
                    WindowFunction.RANK,
                    WindowArguments.NONE,
                    List.of(),
                    List.of(new SortKey("o_price", true, false)),
                    WindowFrame.PARTITION),
                new Relation.WindowCall(
                    "recent",
                    WindowFunction.SUM,
                    WindowArguments.of("o_price"),
                    List.of("o_key"),
                    List.of(new SortKey("o_price", false, true)),
                    lastThree)));
    assertThat(windowed.row().toString())
        .isEqualTo(
            "(o_key int64 not null, o_price decimal(15,2) not null, place int64 not null,"
                + " recent decimal(38,2))");
    RelationalQuery query = new RelationalQuery(windowed);
    assertThat(query.line())
        .isEqualTo(
            "window rank() over (order by o_price desc nulls last) as place, sum(o_price) over"
                + " (partition by o_key order by o_price nulls first rows between 2 preceding and"
                + " current row) as recent {orders}");
    assertThat(QueryJson.read(QueryJson.write(query))).isEqualTo(query);
    refused(
        () ->
            new WindowFrame(
                WindowFrame.Unit.RANGE,
                new WindowFrame.Bound(WindowFrame.Side.PRECEDING, 2),
                new WindowFrame.Bound(WindowFrame.Side.FOLLOWING, 0)),
        "ranges end at the current row or nowhere");
  }

  @Test
  void windowsGiveValuesOfOtherRows() {
    Relation.Windowed windowed =
        new Relation.Windowed(
            LINES,
            List.of(
                inOrder("before", WindowFunction.LAG, arguments("l_text", 2, false)),
                inOrder("third", WindowFunction.NTH_VALUE, arguments("l_order", 3, true)),
                inOrder("last", WindowFunction.LAST_VALUE, WindowArguments.of("l_order")),
                inOrder("part", WindowFunction.NTILE, arguments(null, 4, false)),
                inOrder("share", WindowFunction.CUME_DIST, WindowArguments.NONE)));
    assertThat(windowed.row().toString())
        .isEqualTo(
            "(l_order int64 not null, l_text string, before string, third int64, last int64,"
                + " part int64 not null, share double not null)");
    RelationalQuery query = new RelationalQuery(windowed);
    String frame =
        "(order by l_text nulls last rows between unbounded preceding and unbounded"
            + " following)";
    assertThat(query.line())
        .isEqualTo(
            "window lag(l_text, 2) over (order by l_text nulls last) as before,"
                + " nth_value(l_order, 3 ignore nulls) over "
                + frame
                + " as third, last_value(l_order) over "
                + frame
                + " as last, ntile(4) over (order by l_text nulls last) as part, cume_dist() over"
                + " (order by l_text nulls last) as share {lines}");
    assertThat(QueryJson.read(QueryJson.write(query))).isEqualTo(query);
  }

  @Test
  void argumentsThatAWindowFunctionDoesNotTakeAreRefused() {
    refusedArguments(WindowFunction.RANK, WindowArguments.of("l_text"), "a rank is of no column");
    refusedArguments(WindowFunction.LEAD, WindowArguments.NONE, "a lead is of a column");
    refusedArguments(WindowFunction.NTILE, WindowArguments.NONE, "a ntile has a number");
    refusedArguments(WindowFunction.SUM, arguments("l_order", 1, false), "a sum has no number");
    refusedArguments(
        WindowFunction.NTH_VALUE,
        arguments("l_text", 0, false),
        "the number of a nth_value is 0; at least 1 can be");
    refusedArguments(
        WindowFunction.COUNT,
        new WindowArguments(Optional.of("l_text"), OptionalLong.empty(), true),
        "a count passes no nulls over");
  }

  private static void refusedArguments(
      WindowFunction function, WindowArguments arguments, String message) {
    refused(
        () -> new Relation.Windowed(LINES, List.of(inOrder("w", function, arguments))), message);
  }

  private static Relation.WindowCall inOrder(
      String name, WindowFunction function, WindowArguments arguments) {
    return new Relation.WindowCall(
        name,
        function,
        arguments,
        List.of(),
        List.of(new SortKey("l_text", false, false)),
        WindowFrame.PARTITION);
  }

  private static WindowArguments arguments(String column, long number, boolean ignoresNulls) {
    return new WindowArguments(Optional.ofNullable(column), OptionalLong.of(number), ignoresNulls);
  }

  @Test
  void whatHasNoMeaningIsRefused() {
    refused(
        () -> new Relation.Join(JoinKind.INNER, ORDERS, ORDERS, List.of(), Optional.empty()),
        "a row has two columns o_key");
    refused(
        () ->
            new Relation.Join(
                JoinKind.INNER,
                ORDERS,
                LINES,
                List.of(new Relation.KeyPair("o_key", "l_text")),
                Optional.empty()),
        "compares a int64 with a string");
    refused(() -> new Relation.Union(List.of(ORDERS, LINES)), "a union is of a column");
    refused(
        () -> new Relation.Top(LINES, List.of(), OptionalLong.of(-1), 0),
        "neither can be negative");
    refused(
        () ->
            new RelationalQuery(
                new Relation.Union(
                    List.of(ORDERS, new Relation.Input("orders", renamed(ORDERS.row()))))),
        "the input orders has columns");
    refused(
        () -> new Relation.Values(LINES.row(), List.of(List.of(Literal.of(1L), Literal.of(true)))),
        "it must have the column's type");
  }

  private static RowType renamed(RowType row) {
    return new RowType(
        row.fields().stream().map(field -> new Field(field.name() + "2", field.type())).toList());
  }

  @Test
  void aQueryThatIsNoneIsRefusedWithTheReason() {
    String input = "[\"input\",\"t\",[[\"a\",\"int32\",true]]]";
    unreadable("{\"version\":2,\"relations\":[]}", "version 2, and only 1 is known");
    unreadable("{\"version\":1,\"relations\":[]}", "the query has no relation");
    unreadable("{\"version\":1,\"relations\":[[\"sql\",\"drop\"]]}", "no relation \"sql\"");
    unreadable(
        "{\"version\":1,\"relations\":[[\"union\",0]," + input + "]}",
        "reads the one at 0, and only 0 stand before it");
    unreadable(
        "{\"version\":1,\"relations\":[" + input + ",[\"join\",\"outer\",0,0,[],null]]}",
        "the kind of a join should be one of");
  }

  private static void unreadable(String json, String message) {
    refused(() -> QueryJson.read(json.getBytes(StandardCharsets.UTF_8)), message);
  }

  private static void refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable made, String message) {
    assertThatThrownBy(made).isInstanceOf(InvalidPlanException.class).hasMessageContaining(message);
  }
}
