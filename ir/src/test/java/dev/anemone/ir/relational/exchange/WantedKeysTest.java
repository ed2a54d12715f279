// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.WantedKeys.WantedKey;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WantedKeysTest {

  private static final Relation LINES = input("lines", "l_part", "l_supplier");
  private static final Relation PARTS = input("parts", "p_key", "p_size");
  private static final WantedKey OF_PARTS = new WantedKey("l_part", "parts", "p_key");

  private static Relation input(String name, String... columns) {
    return input(name, SimpleType.INT64, columns);
  }

  private static Relation input(String name, DataType type, String... columns) {
    return new Relation.Input(
        name,
        RowType.of(
            List.of(columns).stream()
                .map(column -> Field.nullable(column, type))
                .toArray(Field[]::new)));
  }

  private static Relation.Join join(
      JoinKind kind, Relation left, String leftKey, Relation right, String rightKey) {
    return new Relation.Join(
        kind, left, right, List.of(new Relation.KeyPair(leftKey, rightKey)), Optional.empty());
  }

  private static List<WantedKey> wanted(Relation root) {
    return WantedKeys.of(new PiecedQuery(new RelationalQuery(root), "lines"));
  }

  private static Expression positive(String column) {
    return new Comparison(
        Comparison.Relation.GREATER, new Expression.Column(column), Literal.of(0L));
  }

  @ParameterizedTest
  @CsvSource({
    "INNER, true",
    "SEMI, true",
    "RIGHT, true",
    "LEFT, false",
    "FULL, false",
    "ANTI, false"
  })
  void theLeftSideOfAJoinIsFilteredUnlessItIsKept(JoinKind kind, boolean filtered) {
    List<WantedKey> wanted = wanted(join(kind, LINES, "l_part", PARTS, "p_key"));
    assertThat(wanted).isEqualTo(filtered ? List.of(OF_PARTS) : List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "INNER, true",
    "SEMI, true",
    "LEFT, true",
    "RIGHT, false",
    "FULL, false",
    "ANTI, false"
  })
  void theRightSideOfAJoinIsFilteredUnlessItIsKept(JoinKind kind, boolean filtered) {
    List<WantedKey> wanted = wanted(join(kind, PARTS, "p_key", LINES, "l_part"));
    assertThat(wanted).isEqualTo(filtered ? List.of(OF_PARTS) : List.of());
  }

  @Test
  void aJoinAboveAnotherOneFiltersToo() {
    Relation suppliers = input("suppliers", "s_key");
    Relation below = join(JoinKind.LEFT, LINES, "l_part", PARTS, "p_key");
    assertThat(wanted(join(JoinKind.INNER, below, "l_supplier", suppliers, "s_key")))
        .containsExactly(new WantedKey("l_supplier", "suppliers", "s_key"));
  }

  /** A row of the other side that loses its match is there again, without one. */
  @ParameterizedTest
  @EnumSource(
      value = JoinKind.class,
      names = {"LEFT", "FULL"})
  void aJoinAboveOneThatFillsUpTheirSideDoesNot(JoinKind kind) {
    Relation suppliers = input("suppliers", "s_key");
    Relation below =
        join(kind == JoinKind.FULL ? kind : JoinKind.RIGHT, LINES, "l_part", PARTS, "p_key");
    Relation above = join(JoinKind.INNER, below, "l_supplier", suppliers, "s_key");
    assertThat(wanted(above)).extracting(WantedKey::input).doesNotContain("suppliers");
    Relation turned = join(kind, PARTS, "p_key", LINES, "l_part");
    assertThat(wanted(join(JoinKind.INNER, turned, "l_supplier", suppliers, "s_key")))
        .extracting(WantedKey::input)
        .doesNotContain("suppliers");
  }

  @Test
  void columnsAreFollowedThroughProjectionsAndFiltersOfBothSides() {
    Relation lines =
        Relation.Step.of(
            new Filter(positive("part")),
            Relation.Step.of(
                new Project(List.of(new NamedExpression("part", new Expression.Column("l_part")))),
                LINES));
    Relation parts =
        Relation.Step.of(
            Aggregate.complete(List.of("key"), List.of(AggregateCall.countRows("n"))),
            Relation.Step.of(
                new Project(List.of(new NamedExpression("key", new Expression.Column("p_key")))),
                PARTS));
    assertThat(wanted(join(JoinKind.INNER, lines, "part", parts, "key"))).containsExactly(OF_PARTS);
  }

  @Test
  void aKeyThatIsComputedIsNoColumn() {
    Relation parts =
        Relation.Step.of(
            new Project(
                List.of(
                    new NamedExpression(
                        "key",
                        new Expression.Arithmetic(
                            Expression.Arithmetic.Operator.ADD,
                            new Expression.Column("p_key"),
                            Literal.of(1L))))),
            PARTS);
    assertThat(wanted(join(JoinKind.INNER, LINES, "l_part", parts, "key"))).isEmpty();
  }

  @Test
  void anAggregateOfThePiecesCountsAllOfTheirRows() {
    Relation counts =
        Relation.Step.of(
            Aggregate.complete(List.of("l_part"), List.of(AggregateCall.countRows("n"))), LINES);
    assertThat(wanted(join(JoinKind.INNER, counts, "l_part", PARTS, "p_key"))).isEmpty();
  }

  @Test
  void piecesThatAreReadTwiceAreNotFiltered() {
    Relation others =
        Relation.Step.of(
            new Project(List.of(new NamedExpression("other", new Expression.Column("l_part")))),
            LINES);
    Relation below = join(JoinKind.INNER, LINES, "l_part", PARTS, "p_key");
    assertThat(wanted(join(JoinKind.INNER, below, "l_supplier", others, "other"))).isEmpty();
  }

  @Test
  void doublesAreNoKeys() {
    Relation lines = input("lines", SimpleType.DOUBLE, "l_part");
    Relation parts = input("parts", SimpleType.DOUBLE, "p_key");
    assertThat(wanted(join(JoinKind.INNER, lines, "l_part", parts, "p_key"))).isEmpty();
  }
}
