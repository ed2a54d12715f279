// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ir.relational.query.SortKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OnPiecesTest {

  private static final Relation LINES = input("lines", "l_part");
  private static final Relation PARTS = input("parts", "p_key");
  private static final Relation SIZES = input("sizes", "s_key");
  private static final Relation INNER = join(JoinKind.INNER, LINES, "l_part", PARTS, "p_key");

  private static Relation input(String name, String column) {
    return new Relation.Input(name, RowType.of(Field.nullable(column, SimpleType.INT64)));
  }

  private static Relation join(
      JoinKind kind, Relation left, String leftKey, Relation right, String rightKey) {
    return new Relation.Join(
        kind, left, right, List.of(new Relation.KeyPair(leftKey, rightKey)), Optional.empty());
  }

  private static Relation step(RelationalOperator operator, Relation input) {
    return Relation.Step.of(operator, input);
  }

  private static Aggregate counts(String column) {
    return Aggregate.complete(List.of(column), List.of(AggregateCall.countRows("n")));
  }

  private static Filter positive(String column) {
    return new Filter(
        new Comparison(Comparison.Relation.GREATER, new Expression.Column(column), Literal.of(0L)));
  }

  private static boolean canHavePiecesOf(String input, Relation root) {
    return new PartitionedQuery(new RelationalQuery(root), Set.of()).onPieces(input).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "INNER, true, true",
    "LEFT, true, false",
    "RIGHT, false, true",
    "FULL, false, false",
    "SEMI, true, false",
    "ANTI, true, false"
  })
  void onlyTheSideThatAJoinKeepsMayComeInPieces(JoinKind kind, boolean left, boolean right) {
    Relation joined = join(kind, LINES, "l_part", PARTS, "p_key");
    assertThat(canHavePiecesOf("lines", joined)).isEqualTo(left);
    assertThat(canHavePiecesOf("parts", joined)).isEqualTo(right);
  }

  @Test
  void rowByRowAndInHalvesPiecesAreAsGoodAsAll() {
    Relation filtered =
        step(
            positive("l_part"),
            join(JoinKind.LEFT, LINES, "l_part", step(positive("p_key"), PARTS), "p_key"));
    Relation projected = step(new Project(List.of(NamedExpression.column("l_part"))), filtered);
    Relation joinedAgain = join(JoinKind.RIGHT, SIZES, "s_key", projected, "l_part");
    Relation counted = step(counts("s_key").partialHalf(), joinedAgain);
    assertThat(canHavePiecesOf("lines", counted)).isTrue();
    assertThat(canHavePiecesOf("parts", counted)).isFalse();
    assertThat(canHavePiecesOf("sizes", counted)).isFalse();
  }

  @Test
  void whatNeedsAllRowsOfPiecesDoesNotRunOnThem() {
    assertThat(canHavePiecesOf("lines", step(counts("p_key"), INNER))).isFalse();
    assertThat(canHavePiecesOf("lines", new Relation.Union(List.of(LINES, PARTS)))).isFalse();
    assertThat(
            canHavePiecesOf(
                "lines",
                new Relation.Top(
                    INNER, List.of(new SortKey("p_key", false, false)), OptionalLong.of(3), 0)))
        .isFalse();
    Relation withItself =
        join(
            JoinKind.INNER,
            LINES,
            "l_part",
            step(
                new Project(List.of(new NamedExpression("other", new Expression.Column("l_part")))),
                LINES),
            "other");
    assertThat(canHavePiecesOf("lines", withItself)).isFalse();
  }

  @Test
  void nothingIsComputedAgainForEachPiece() {
    Relation counted = step(counts("p_key"), PARTS);
    assertThat(canHavePiecesOf("lines", join(JoinKind.INNER, LINES, "l_part", counted, "p_key")))
        .isFalse();
    Relation joined = join(JoinKind.INNER, PARTS, "p_key", SIZES, "s_key");
    assertThat(canHavePiecesOf("lines", join(JoinKind.INNER, LINES, "l_part", joined, "p_key")))
        .isFalse();
  }

  @Test
  void anInputOfWhichEachPartitionHasAllRowsDoesNotComeInPieces() {
    PartitionedQuery query = new PartitionedQuery(new RelationalQuery(INNER), Set.of("parts"));
    assertThat(query.onPieces("parts")).isEmpty();
    assertThat(query.onPieces("lines"))
        .contains(new PiecedQuery(new RelationalQuery(INNER), "lines"));
    assertThat(query.onPieces("other")).isEmpty();
  }
}
