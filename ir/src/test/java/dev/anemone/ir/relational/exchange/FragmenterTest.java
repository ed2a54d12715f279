// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FragmenterTest {

  private static final Relation A = table("a");
  private static final Relation B = table("b");
  private static final Relation C = table("c");
  private static final SideSizes UNKNOWN = SideSizes.of(any -> false);

  /** A table with a key, a number and a text, whose names begin with its own. */
  private static Relation table(String name) {
    return new Relation.Input(
        name,
        RowType.of(
            Field.required(name + "k", SimpleType.INT64),
            Field.nullable(name + "n", SimpleType.INT64),
            Field.nullable(name + "t", SimpleType.STRING)));
  }

  private static Relation join(
      JoinKind kind, Relation left, Relation right, String leftKey, String rightKey) {
    return new Relation.Join(
        kind, left, right, List.of(new Relation.KeyPair(leftKey, rightKey)), Optional.empty());
  }

  private static Relation sum(Relation input, String column, String... keys) {
    return Relation.Step.of(
        Aggregate.complete(
            List.of(keys), List.of(AggregateCall.of("s", AggregateFunction.SUM, column))),
        input);
  }

  private static Relation project(Relation input, String... columns) {
    return Relation.Step.of(
        new Project(List.of(columns).stream().map(NamedExpression::column).toList()), input);
  }

  private static String fragments(Relation root, Relation... small) {
    return Fragmenter.of(new RelationalQuery(root), SideSizes.of(Set.of(small)::contains), Set.of())
        .text();
  }

  @Test
  void anAggregateIsExchangedBetweenItsHalves() {
    assertThat(fragments(sum(A, "an", "at")))
        .isEqualTo(
            """
            x0 = hash(at) of aggregate partial by at: sum(an) as s {a}
            result = aggregate final by at: sum(an) as s {x0}""");
  }

  @Test
  void rowsThatOtherTasksMakeAreReadThere() {
    Relation joined = join(JoinKind.INNER, A, B, "ak", "bk");
    assertThat(
            Fragmenter.of(
                    new RelationalQuery(sum(joined, "an", "at")),
                    SideSizes.of(Set.of(B)::contains),
                    Set.of("a", "b"))
                .fragments())
        .extracting(Fragment::text, Fragment::place)
        .containsExactly(
            tuple("x0 = broadcast of b", Fragment.Place.PIECES),
            tuple(
                "x1 = hash(at) of aggregate partial by at: sum(an) as s "
                    + "{inner join by ak = bk {a; x0}}",
                Fragment.Place.PIECES),
            tuple("result = aggregate final by at: sum(an) as s {x1}", Fragment.Place.PARTITIONS));
  }

  @Test
  void whatIsTogetherIsNotExchangedAgain() {
    Relation joined = join(JoinKind.INNER, A, B, "ak", "bk");
    assertThat(fragments(join(JoinKind.LEFT, sum(joined, "an", "bk"), C, "bk", "ck")))
        .isEqualTo(
            """
            x0 = hash(ak) of a
            x1 = hash(bk) of b
            x2 = hash(ck) of c
            result = left join by bk = ck {aggregate by bk: sum(an) as s {inner join by ak = bk \
            {x0; x1}}; x2}""");
  }

  @Test
  void aKeyThatMayHaveBecomeNullBringsNothingTogether() {
    Relation joined = join(JoinKind.LEFT, A, B, "ak", "bk");
    assertThat(fragments(sum(joined, "an", "bk"))).contains("x2 = hash(bk)");
    assertThat(fragments(sum(joined, "an", "ak"))).doesNotContain("x2");
    Relation full = join(JoinKind.FULL, A, B, "ak", "bk");
    assertThat(fragments(sum(full, "an", "ak"))).contains("x2 = hash(ak)");
    Relation right = join(JoinKind.RIGHT, A, B, "ak", "bk");
    assertThat(fragments(sum(right, "an", "bk"))).doesNotContain("x2");
  }

  @Test
  void aProjectionThatLosesTheKeysLosesTheDistribution() {
    Relation joined = join(JoinKind.INNER, A, B, "ak", "bk");
    assertThat(fragments(sum(project(joined, "bk", "an"), "an", "bk"))).doesNotContain("x2");
    assertThat(fragments(sum(project(joined, "an"), "an", "an"))).contains("x2 = hash(an)");
  }

  @Test
  void aSmallSideGoesWhereTheOtherOneIs() {
    Relation joined = join(JoinKind.INNER, A, B, "ak", "bk");
    assertThat(fragments(join(JoinKind.INNER, joined, C, "an", "ck"), C))
        .isEqualTo(
            """
            x0 = hash(ak) of a
            x1 = hash(bk) of b
            x2 = replicate of c
            result = inner join by an = ck {inner join by ak = bk {x0; x1}; x2}""");
    assertThat(fragments(join(JoinKind.RIGHT, joined, C, "an", "ck"), C))
        .as("its rows without a match would come once for each partition")
        .contains("x3 = hash(ck) of c");
    assertThat(fragments(join(JoinKind.INNER, joined, C, "ak", "ck"), C))
        .as("only where its key is")
        .contains("x2 = hash(ck) of c");
  }

  @Test
  void smallSidesAreJoinedInOneTask() {
    assertThat(fragments(join(JoinKind.FULL, A, B, "ak", "bk"), A, B))
        .isEqualTo(
            """
            x0 = gather of a
            x1 = gather of b
            result = full join by ak = bk {x0; x1}""");
  }

  @Test
  void aJoinWithoutKeysLeavesOneSideWhereItIs() {
    Relation one = sum(B, "bn");
    assertThat(
            fragments(new Relation.Join(JoinKind.INNER, A, one, List.of(), Optional.empty()), one))
        .isEqualTo(
            """
            x0 = gather of aggregate partial: sum(bn) as s {b}
            x1 = stay of a
            x2 = broadcast of aggregate final: sum(bn) as s {x0}
            result = inner join {x1; x2}""");
  }

  @Test
  void onlyTheFirstRowsOfEachTaskAreGathered() {
    Relation top =
        new Relation.Top(
            sum(A, "an", "at"), List.of(new SortKey("s", true, false)), OptionalLong.of(10), 5);
    assertThat(fragments(top))
        .endsWith(
            """
            x1 = gather of first 15 by s desc nulls last {aggregate final by at: sum(an) as s {x0}}
            result = first 10 after 5 by s desc nulls last {x1}""");
  }

  @Test
  void theInputsOfAUnionAreExchangedTogether() {
    Relation union = new Relation.Union(List.of(A, B));
    assertThat(fragments(sum(union, "an", "at")))
        .isEqualTo(
            """
            x0 = hash(at) of aggregate partial by at: sum(an) as s {project ak, an, at {a}}
            x0 = hash(at) of aggregate partial by at: sum(an) as s {project bk as ak, bn as an, \
            bt as at {b}}
            result = aggregate final by at: sum(an) as s {x0}""");
  }

  @Test
  void aSmallSideGoesWhereTheOtherOneIsRead() {
    Relation joined = join(JoinKind.LEFT, A, B, "an", "bk");
    assertThat(fragments(sum(join(JoinKind.SEMI, joined, C, "bn", "ck"), "an", "at"), B, C))
        .isEqualTo(
            """
            x0 = stay of a
            x1 = broadcast of b
            x2 = broadcast of c
            x3 = hash(at) of aggregate partial by at: sum(an) as s {semi join by bn = ck {left join \
            by an = bk {x0; x1}; x2}}
            result = aggregate final by at: sum(an) as s {x3}""");
    assertThat(fragments(join(JoinKind.INNER, B, A, "bk", "an"), B))
        .isEqualTo(
            """
            x0 = broadcast of b
            x1 = stay of a
            result = inner join by bk = an {x0; x1}""");
    assertThat(fragments(join(JoinKind.LEFT, B, A, "bk", "an"), B))
        .as("its rows without a match would come once for each piece")
        .contains("x0 = hash(bk) of b");
  }

  @Test
  void theFirstRowsOfEachPieceAreGathered() {
    Relation top =
        new Relation.Top(A, List.of(new SortKey("an", true, false)), OptionalLong.of(3), 0);
    assertThat(fragments(top))
        .isEqualTo(
            """
            x0 = stay of a
            x1 = gather of first 3 by an desc nulls last {x0}
            result = first 3 by an desc nulls last {x1}""");
  }

  @Test
  void whatSplitsCannotDoIsDoneWhereTheyAreRead() {
    Relation upper =
        Relation.Step.of(
            new Project(
                List.of(
                    new NamedExpression(
                        "l",
                        new Expression.Call(
                            ScalarFunction.ABS, List.of(new Expression.Column("an")))))),
            A);
    assertThat(fragments(upper)).startsWith("x0 = stay of a\n");
  }

  @Test
  void aTaskThatMakesRowsOfNothingRunsInAnyCase() {
    Relation joined = join(JoinKind.INNER, A, B, "ak", "bk");
    assertThat(last(sum(joined, "an")).place()).isEqualTo(Fragment.Place.ONCE_ALWAYS);
    assertThat(last(sum(A, "an")).place())
        .as("each split of the table gives a row")
        .isEqualTo(Fragment.Place.ONCE);
    assertThat(last(new Relation.Top(A, List.of(), OptionalLong.of(1), 0)).place())
        .isEqualTo(Fragment.Place.ONCE);
  }

  @Test
  void whatIsKnownOfASideGoesOverItsExchange() {
    Relation joined = join(JoinKind.INNER, A, B, "ak", "bk");
    SideSizes sizes =
        new SideSizes(
            C::equals,
            side ->
                side.equals(A) ? OptionalLong.empty() : OptionalLong.of(side.equals(B) ? 70 : 8));
    List<Exchange> exchanges =
        Fragmenter.of(
                new RelationalQuery(join(JoinKind.INNER, joined, C, "an", "ck")), sizes, Set.of())
            .fragments()
            .stream()
            .flatMap(fragment -> fragment.output().stream())
            .toList();
    assertThat(exchanges)
        .extracting(Exchange::partitioning, Exchange::bytes)
        .containsExactly(
            tuple(new Partitioning.Hash(List.of("ak")), OptionalLong.empty()),
            tuple(new Partitioning.Hash(List.of("bk")), OptionalLong.of(70)),
            tuple(new Partitioning.Replicate(), OptionalLong.of(8)));
  }

  @Test
  void constantsRunWithoutInputs() {
    Relation none = new Relation.Values(A.row(), List.of());
    assertThat(last(none).place()).isEqualTo(Fragment.Place.ONCE_ALWAYS);
    assertThat(fragments(join(JoinKind.INNER, none, B, "ak", "bk")))
        .startsWith("x0 = hash(ak) of values ");
  }

  private static Fragment last(Relation root) {
    List<Fragment> fragments =
        Fragmenter.of(new RelationalQuery(root), UNKNOWN, Set.of()).fragments();
    return fragments.get(fragments.size() - 1);
  }

  @Test
  void aScanReadsTheColumnsThatItNeeds() {
    Relation filtered =
        Relation.Step.of(
            new Filter(
                new Expression.Comparison(
                    Expression.Comparison.Relation.LESS,
                    new Expression.Column("an"),
                    Literal.of(7L))),
            A);
    List<Fragment> fragments =
        Fragmenter.of(
                new RelationalQuery(
                    new Relation.Union(
                        List.of(project(filtered, "at"), project(A, "at"), project(A, "at")))),
                UNKNOWN,
                Set.of())
            .fragments();
    assertThat(ScanPlan.of(fragments.get(0)).plan().scan().toString())
        .isEqualTo("(an int64, at string)");
    assertThat(ScanPlan.of(fragments.get(1)).plan().scan().toString()).isEqualTo("(at string)");
    Relation counted =
        Relation.Step.of(Aggregate.complete(List.of(), List.of(AggregateCall.countRows("n"))), A);
    Fragment counts =
        Fragmenter.of(new RelationalQuery(counted), UNKNOWN, Set.of()).fragments().get(0);
    assertThat(ScanPlan.of(counts).plan().scan().toString()).isEqualTo("(ak int64 not null)");
  }
}
