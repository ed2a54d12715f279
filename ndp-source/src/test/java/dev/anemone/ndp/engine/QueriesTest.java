// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.ScalarFunction;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ir.relational.query.SortKey;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.profile.OperatorRows;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.rows.ArrowRows;
import dev.anemone.ndp.sql.QuerySql;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole queries over tables. */
class QueriesTest {

  private static final RowType PEOPLE =
      RowType.of(
          Field.nullable("id", SimpleType.INT32),
          Field.nullable("name", SimpleType.STRING),
          Field.nullable("boss", SimpleType.INT32));

  private static final Relation.Input STAFF = new Relation.Input("people", PEOPLE);

  private static final Relation.Step BOSSES =
      Relation.Step.of(
          new Project(
              List.of(
                  new NamedExpression("boss_id", new Column("id")),
                  new NamedExpression("boss_name", new Column("name")))),
          STAFF);

  private Path directory;
  private NdpEngine engine;

  @BeforeEach
  @BeforeTry
  void open() throws IOException {
    directory = Files.createTempDirectory("queries");
    engine = new NdpEngine(TestLimits.in(Files.createDirectory(directory.resolve("work"))));
  }

  @AfterEach
  @AfterTry
  void nothingIsLeft() throws IOException {
    engine.close();
    Files.delete(directory.resolve("work"));
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  @Test
  void joinsGiveTheRowsOfTheirKind() throws IOException {
    List<Table> people = List.of(table("1,ann,\n2,bob,1\n", 0), table("3,cid,1\n4,dee,9\n", 1));
    assertThat(joined(JoinKind.INNER, people)).containsExactly("2 bob 1 1 ann", "3 cid 1 1 ann");
    assertThat(joined(JoinKind.LEFT, people))
        .containsExactly(
            "1 ann null null null", "2 bob 1 1 ann", "3 cid 1 1 ann", "4 dee 9 null null");
    assertThat(joined(JoinKind.RIGHT, people))
        .containsExactly(
            "2 bob 1 1 ann",
            "3 cid 1 1 ann",
            "null null null 2 bob",
            "null null null 3 cid",
            "null null null 4 dee");
    assertThat(joined(JoinKind.FULL, people)).hasSize(7);
    assertThat(joined(JoinKind.SEMI, people)).containsExactly("2 bob 1", "3 cid 1");
    assertThat(joined(JoinKind.ANTI, people)).containsExactly("1 ann null", "4 dee 9");
  }

  private static Relation bosses(JoinKind kind) {
    return new Relation.Join(
        kind, STAFF, BOSSES, List.of(new Relation.KeyPair("boss", "boss_id")), Optional.empty());
  }

  private List<String> joined(JoinKind kind, List<Table> people) {
    return run(bosses(kind), people);
  }

  @Test
  void aConditionThatMayFailIsAskedOnlyWhereTheOthersHold() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      rows.append(i % 2 == 0 ? 1 + i + ",none,2147483647\n" : "0,some,7\n");
    }
    Expression overflows =
        new Comparison(
            Comparison.Relation.LESS,
            new Arithmetic(Arithmetic.Operator.ADD, new Column("id"), new Column("boss")),
            Literal.of(0));
    // Dearer than a sum: by its cost it would come second.
    Expression guard = new Expression.Like(new Column("name"), "s_m_", Optional.empty());
    List<Table> tables = List.of(table(rows.toString(), 0));
    assertThat(
            run(
                Relation.Step.of(new Filter(new Expression.And(List.of(overflows, guard))), STAFF),
                tables))
        .isEmpty();
    assertThatThrownBy(() -> run(Relation.Step.of(new Filter(overflows), STAFF), tables))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("Overflow");
  }

  /** Of values there is no filter that would leave rows out before. */
  @Test
  void aConditionThatMayFailIsAskedOnlyWhereItsValueDependsOnIt() throws IOException {
    Expression quotient =
        new Comparison(
            Comparison.Relation.GREATER,
            new Arithmetic(Arithmetic.Operator.DIVIDE, Literal.of(100), new Column("boss")),
            Literal.of(3));
    Expression isNone =
        new Comparison(Comparison.Relation.EQUAL, new Column("boss"), Literal.of(0));
    List<Table> tables = List.of(table("1,ann,0\n2,bob,7\n3,cid,50\n4,dee,\n", 0));
    assertThat(values(new Expression.And(List.of(quotient, new Expression.Not(isNone))), tables))
        .containsExactlyInAnyOrder("1 false", "2 true", "3 false", "4 null");
    assertThat(values(new Expression.Or(List.of(quotient, isNone)), tables))
        .containsExactlyInAnyOrder("1 true", "2 true", "3 false", "4 null");
    assertThatThrownBy(() -> values(quotient, tables))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("division by zero");
  }

  private List<String> values(Expression condition, List<Table> people) {
    return run(
        Relation.Step.of(
            new Project(
                List.of(
                    new NamedExpression("id", new Column("id")),
                    new NamedExpression("value", condition))),
            STAFF),
        people);
  }

  @Test
  void aQueryThatCannotGetItsMemorySaysHowMuchItHad() throws IOException {
    Relation others =
        Relation.Step.of(
            new Project(List.of(new NamedExpression("other", new Column("id")))), STAFF);
    Relation pairs =
        Relation.Step.of(
            Aggregate.complete(List.of("id", "other"), List.of(AggregateCall.countRows("n"))),
            new Relation.Join(JoinKind.INNER, STAFF, others, List.of(), Optional.empty()));
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      rows.append(i).append(",ann,\n");
    }
    List<Table> people = List.of(table(rows.toString(), 0));
    NdpEngineLimits small =
        new NdpEngineLimits(1, 64L << 20, 0, Duration.ofMinutes(1), directory.resolve("work"))
            .withMemoryOption("memoryMb");
    try (NdpEngine narrow = new NdpEngine(small)) {
      assertThatThrownBy(
              () -> {
                try (PlanAnswer answer =
                    narrow.run(
                        new RelationalQuery(pairs),
                        Map.of("people", people),
                        Map.of(),
                        () -> false)) {
                  while (answer.loadNextBatch()) {
                    assertThat(answer.rows()).isPositive();
                  }
                }
              })
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining(
              "it had 64 MB of memory, and 0 MB of disk for what does not fit there; --memoryMb gives it"
                  + " more");
    }
  }

  @Test
  void aggregatesAreWhole() throws IOException {
    Relation.Step counted =
        Relation.Step.of(
            Aggregate.complete(
                List.of("boss"),
                List.of(
                    AggregateCall.countRows("n"),
                    AggregateCall.of("last", AggregateFunction.MAX, "name"),
                    AggregateCall.of("mean", AggregateFunction.AVG, "id"))),
            STAFF);
    assertThat(run(counted, List.of(table("1,ann,\n2,bob,1\n3,cid,1\n", 0))))
        .containsExactly("1 2 cid 2.500000", "null 1 ann 1.000000");
  }

  @Test
  void halvesOfAnAggregateMakeTheWhole() throws IOException {
    List<AggregateCall> calls =
        List.of(
            AggregateCall.countRows("n"),
            AggregateCall.of("bosses", AggregateFunction.COUNT, "boss"),
            AggregateCall.of("sum", AggregateFunction.SUM, "id"),
            AggregateCall.of("first", AggregateFunction.MIN, "name"),
            AggregateCall.of("last", AggregateFunction.MAX, "name"),
            AggregateCall.of("mean", AggregateFunction.AVG, "id"),
            AggregateCall.of("ratio", AggregateFunction.AVG, "half"));
    Relation people =
        Relation.Step.of(
            new Project(
                List.of(
                    NamedExpression.column("id"),
                    NamedExpression.column("name"),
                    NamedExpression.column("boss"),
                    new NamedExpression(
                        "half", new Expression.Cast(new Column("id"), SimpleType.DOUBLE)))),
            STAFF);
    List<Table> tables = List.of(table("1,ann,\n2,bob,1\n3,,1\n4,dan,7\n5,eve,7\n7,gus,7\n", 0));
    for (List<String> keys : List.of(List.of("boss"), List.<String>of())) {
      Aggregate whole = Aggregate.complete(keys, calls);
      List<Relation> halves = new ArrayList<>();
      for (Comparison.Relation side :
          List.of(Comparison.Relation.LESS, Comparison.Relation.GREATER_OR_EQUAL)) {
        Expression isOn = new Comparison(side, new Column("id"), Literal.of(4));
        halves.add(
            Relation.Step.of(whole.partialHalf(), Relation.Step.of(new Filter(isOn), people)));
      }
      Relation states = new Relation.Union(halves);
      assertThat(run(Relation.Step.of(whole.finalHalf(), states), tables))
          .isEqualTo(run(Relation.Step.of(whole, people), tables))
          .isNotEmpty();
      Expression never = new Comparison(Comparison.Relation.LESS, new Column("n"), Literal.of(0L));
      assertThat(
              run(
                  Relation.Step.of(whole.finalHalf(), Relation.Step.of(new Filter(never), states)),
                  tables))
          .isEqualTo(keys.isEmpty() ? List.of("0 0 null null null null null") : List.of());
    }
  }

  @Test
  void aValueThatStandsForItselfIsOfOneRow() throws IOException {
    Relation.Step only =
        Relation.Step.of(
            Aggregate.complete(
                List.of(),
                List.of(AggregateCall.of("boss", AggregateFunction.SINGLE_VALUE, "boss"))),
            STAFF);
    assertThat(run(only, List.of(table("2,bob,1\n", 0)))).containsExactly("1");
    assertThat(run(only, List.of(table("1,ann,\n", 1)))).containsExactly("null");
    assertThatThrownBy(() -> run(only, List.of(table("1,ann,\n2,bob,1\n", 2))))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("more than one row");
  }

  @Test
  void theFirstOfAnOrderOfAllOfAUnion() throws IOException {
    Relation.Top top =
        new Relation.Top(
            new Relation.Union(List.of(STAFF, new Relation.Values(PEOPLE, List.of()), STAFF)),
            List.of(new SortKey("boss", true, true), new SortKey("id", false, false)),
            OptionalLong.of(3),
            1);
    RelationalQuery query = new RelationalQuery(top);
    assertThat(rows(query, List.of(table("1,ann,\n2,bob,1\n3,cid,8\n", 0))))
        .containsExactlyInAnyOrder("1 ann null", "3 cid 8", "3 cid 8");
  }

  @Test
  void aPartThatIsRepeatedIsComputedOnce() throws IOException {
    Relation counts =
        Relation.Step.of(
            Aggregate.complete(List.of("boss"), List.of(AggregateCall.countRows("n"))), STAFF);
    Relation most =
        Relation.Step.of(
            Aggregate.complete(
                List.of(), List.of(AggregateCall.of("most", AggregateFunction.MAX, "n"))),
            counts);
    Relation busiest =
        new Relation.Join(
            JoinKind.INNER,
            counts,
            most,
            List.of(new Relation.KeyPair("n", "most")),
            Optional.empty());
    String sql =
        QuerySql.of(new RelationalQuery(busiest), Map.of("people", "SELECT * FROM p"), Set.of());
    assertThat(sql).containsOnlyOnce("GROUP BY").containsOnlyOnce("FROM p)");
    assertThat(run(busiest, List.of(table("1,ann,\n2,bob,1\n3,cid,1\n4,dee,2\n", 0))))
        .containsExactly("1 2 2");
  }

  @Test
  void filtersOfATableAreNotKept() {
    Relation bosses = bosses(JoinKind.INNER);
    String rows = "SELECT * FROM p";
    assertThat(QuerySql.of(new RelationalQuery(bosses), Map.of("people", rows), Set.of()))
        .doesNotContain("WITH");
  }

  /** Names of those whose boss has a boss; of the table, three columns are asked for. */
  @Test
  void textThatIsReadAtSeveralPlacesIsReadOnce() throws IOException {
    Relation named =
        Relation.Step.of(
            new Project(List.of(NamedExpression.column("name"), NamedExpression.column("boss"))),
            STAFF);
    Relation led =
        Relation.Step.of(
            new Project(List.of(new NamedExpression("led_id", new Column("id")))),
            Relation.Step.of(
                new Filter(new Expression.Not(new Expression.IsNull(new Column("boss")))), STAFF));
    Relation middle =
        new Relation.Join(
            JoinKind.SEMI,
            named,
            led,
            List.of(new Relation.KeyPair("boss", "led_id")),
            Optional.empty());
    Map<String, String> rows = Map.of("people", "SELECT * FROM p");
    RelationalQuery query = new RelationalQuery(middle);
    assertThat(QuerySql.of(query, rows, Set.of("people"))).containsOnlyOnce("FROM p)");
    assertThat(QuerySql.of(query, rows, Set.of()).split("FROM p\\)", -1)).hasSize(3);
    assertThat(run(middle, List.of(table("1,ann,\n2,bob,1\n3,cid,2\n4,dee,2\n", 0))))
        .containsExactlyInAnyOrder("cid 2", "dee 2");
  }

  @Test
  void textOfWhichWholeRowsAreReadIsNotKept() {
    Relation pairs = bosses(JoinKind.INNER);
    assertThat(
            QuerySql.of(
                new RelationalQuery(pairs), Map.of("people", "SELECT * FROM p"), Set.of("people")))
        .doesNotContain("WITH");
  }

  @Test
  void tellsHowManyRowsItsOperatorsGave() throws IOException {
    Relation bosses = bosses(JoinKind.INNER);
    List<Table> people = List.of(table("1,ann,\n2,bob,1\n", 0), table("3,cid,1\n4,dee,9\n", 1));
    try (PlanAnswer answer =
        engine.run(new RelationalQuery(bosses), Map.of("people", people), Map.of(), () -> false)) {
      while (answer.loadNextBatch()) {
        assertThat(answer.root().getRowCount()).isPositive();
      }
      List<OperatorRows> operators = answer.operators();
      assertThat(operators)
          .extracting(OperatorRows::number)
          .isEqualTo(IntStream.rangeClosed(1, operators.size()).boxed().toList());
      assertThat(operators)
          .filteredOn(operator -> operator.name().equals("HASH_JOIN"))
          .singleElement()
          .satisfies(join -> assertThat(join.rows()).isEqualTo(2))
          .satisfies(join -> assertThat(join.estimated()).isPresent());
      assertThat(operators).extracting(OperatorRows::name).doesNotContain("UNION", "PROJECTION");
    }
  }

  @Test
  void aSumOfMoreThan38DigitsFails() {
    DecimalType digits = new DecimalType(38, 0);
    List<List<Literal>> rows =
        List.of(
            List.of(Literal.parse(digits, "6" + "0".repeat(37))),
            List.of(Literal.parse(digits, "5" + "0".repeat(37))));
    RowType row = RowType.of(Field.nullable("x", digits));
    Aggregate sum =
        Aggregate.complete(List.of(), List.of(AggregateCall.of("s", AggregateFunction.SUM, "x")));
    assertThatThrownBy(() -> run(Relation.Step.of(sum, new Relation.Values(row, rows)), List.of()))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("SUM");
    assertThat(run(Relation.Step.of(sum, new Relation.Values(row, rows.subList(0, 1))), List.of()))
        .containsExactly("6" + "0".repeat(37));
  }

  @Test
  void aQueryReachesItsTablesOnly() throws IOException {
    assertThatThrownBy(
            () ->
                run(
                    new Relation.Input("people", RowType.of(Field.nullable("id", SimpleType.DATE))),
                    List.of(table("1,ann,\n", 0))))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining("reads column id as date");
  }

  /** The engine's quotient is that of exact arithmetic, or an error where it does not fit. */
  @Property(tries = 60)
  void quotientsAreExactAndRounded(@ForAll long seed) {
    Random random = new Random(seed);
    DecimalType left = new DecimalType(38, random.nextInt(8));
    DecimalType right = new DecimalType(19, random.nextInt(8));
    List<List<Literal>> rows = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      BigDecimal dividend = number(random, 13, left.scale());
      BigDecimal divisor = number(random, 13, right.scale());
      if (divisor.signum() == 0) {
        continue;
      }
      rows.add(
          List.of(
              Literal.parse(left, dividend.toPlainString()),
              Literal.parse(right, divisor.toPlainString())));
      BigDecimal quotient = dividend.divide(divisor, 16, RoundingMode.HALF_UP);
      assertThat(quotient.precision()).isLessThan(38);
      expected.add(dividend.toPlainString() + " " + quotient.toPlainString());
    }
    RowType row = RowType.of(Field.nullable("l", left), Field.nullable("r", right));
    Relation.Step divided =
        Relation.Step.of(
            new Project(
                List.of(
                    NamedExpression.column("l"),
                    new NamedExpression(
                        "q",
                        Expression.Call.of(
                            ScalarFunction.QUOTIENT, new Column("l"), new Column("r"))))),
            new Relation.Values(row, rows));
    assertThat(run(divided, List.of())).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static BigDecimal number(Random random, int digits, int scale) {
    BigInteger unscaled = new BigInteger(1 + random.nextInt((int) (digits * 3.32)), random);
    return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
  }

  private Table table(String rows, int number) throws IOException {
    Path file = directory.resolve("people" + number + ".csv");
    Files.writeString(file, rows);
    return new Table(file, CsvFormat.of(','), PEOPLE);
  }

  private List<String> run(Relation relation, List<Table> people) {
    return rows(new RelationalQuery(relation), people).stream().sorted().toList();
  }

  private List<String> rows(RelationalQuery query, List<Table> people) {
    List<String> rows = new ArrayList<>();
    try (PlanAnswer answer = engine.run(query, Map.of("people", people), Map.of(), () -> false)) {
      while (answer.loadNextBatch()) {
        for (List<Object> row : ArrowRows.of(answer.root(), answer.type())) {
          rows.add(String.join(" ", row.stream().map(QueriesTest::text).toList()));
        }
      }
    }
    return rows;
  }

  private static String text(Object value) {
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : String.valueOf(value);
  }
}
