// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Divisibility;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.joinlibrary.Join;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.transforms.CoGroup;
import org.apache.beam.sdk.schemas.transforms.CoGroup.By;
import org.apache.beam.sdk.schemas.transforms.Join.FieldsEqual;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which sides of which joins are marked as divisible; 0 is the left one. */
class DivisibleSidesTest {

  private static final Schema SCHEMA =
      Schema.builder().addInt32Field("k").addNullableStringField("v").build();
  private static final FieldsEqual.Impl KEYS = FieldsEqual.left("k").right("k");

  private static final Pattern SIDE = Pattern.compile("/MakeUnionTable([0-9]+)");

  private final Pipeline pipeline = Pipeline.create();

  static Stream<Arguments> libraryJoins() {
    return Stream.of(
        Arguments.of("inner", List.of(0, 1)),
        Arguments.of("left", List.of(0)),
        Arguments.of("right", List.of(1)),
        Arguments.of("full", List.of()));
  }

  @ParameterizedTest
  @MethodSource("libraryJoins")
  void theJoinLibrarysSidesThatEveryRowNeeds(String kind, List<Integer> divisible) {
    join(kind, numbers("Left"), numbers("Right"));

    assertThat(divisible()).isEqualTo(divisible);
  }

  @Test
  void joinsInFixedWindows() {
    join("left", windowed("Left"), windowed("Right"));

    assertThat(divisible()).containsExactly(0);
  }

  @Test
  void aJoinOfACollectionWithItself() {
    PCollection<KV<Integer, Integer>> numbers = numbers("Both");
    join("right", numbers, numbers);

    assertThat(divisible()).containsExactly(1);
  }

  @Test
  void aSideThatIsAFlatten() {
    PCollection<KV<Integer, Integer>> both =
        PCollectionList.of(numbers("One")).and(numbers("Two")).apply(Flatten.pCollections());
    join("inner", both, numbers("Right"));

    assertThat(divisible()).containsExactly(0, 1);
  }

  @Test
  void nothingWhereWindowsMerge() {
    Window<KV<Integer, Integer>> sessions =
        Window.into(Sessions.withGapDuration(Duration.standardSeconds(1)));
    join(
        "inner",
        numbers("Left").apply("LeftSessions", sessions),
        numbers("Right").apply("RightSessions", sessions));

    assertThat(divisible()).isEmpty();
  }

  @Test
  void nothingWhereTheTimestampOfARowDependsOnTheElementsOfItsKey() {
    Window<KV<Integer, Integer>> earliest =
        Window.<KV<Integer, Integer>>configure().withTimestampCombiner(TimestampCombiner.EARLIEST);
    join(
        "inner",
        numbers("Left").apply("LeftEarliest", earliest),
        numbers("Right").apply("RightEarliest", earliest));

    assertThat(divisible()).isEmpty();
  }

  @Test
  void nothingOfACoGroupByKeyOfTheProgramOrOfAGroupByKey() {
    KeyedPCollectionTuple.of(new TupleTag<Integer>(), numbers("Left"))
        .and(new TupleTag<Integer>(), numbers("Right"))
        .apply(CoGroupByKey.create());
    numbers("Other").apply(GroupByKey.create());

    assertThat(divisible()).isEmpty();
  }

  @Test
  void nothingOfACompositeOfTheProgramThatCoGroups() {
    numbers("Left").apply("InnerJoin", new CoGroupingJoin(numbers("Right")));

    assertThat(divisible()).isEmpty();
  }

  static Stream<Arguments> schemaJoins() {
    return Stream.of(
        Arguments.of("inner", List.of(0, 1)),
        Arguments.of("left", List.of(0)),
        Arguments.of("right", List.of(1)),
        Arguments.of("full", List.of()));
  }

  @ParameterizedTest
  @MethodSource("schemaJoins")
  void sidesOfJoinsOfSchemas(String kind, List<Integer> divisible) {
    PCollection<Row> right = rows("Right");
    rows("Left")
        .apply(
            switch (kind) {
              case "inner" ->
                  org.apache.beam.sdk.schemas.transforms.Join.<Row, Row>innerJoin(right).on(KEYS);
              case "left" ->
                  org.apache.beam.sdk.schemas.transforms.Join.<Row, Row>leftOuterJoin(right)
                      .on(KEYS);
              case "right" ->
                  org.apache.beam.sdk.schemas.transforms.Join.<Row, Row>rightOuterJoin(right)
                      .on(KEYS);
              default ->
                  org.apache.beam.sdk.schemas.transforms.Join.<Row, Row>fullOuterJoin(right)
                      .on(KEYS);
            });

    assertThat(divisible()).isEqualTo(divisible);
  }

  @Test
  void theNeededOnesOfThreeSidesInTheOrderOfTheJoin() {
    PCollectionTuple.of("c", rows("C"))
        .and("a_b", rows("AB"))
        .and("a", rows("A"))
        .apply(
            CoGroup.join("c", By.fieldNames("k"))
                .join("a_b", By.fieldNames("k").withOptionalParticipation())
                .join("a", By.fieldNames("k"))
                .crossProductJoin());

    assertThat(divisible()).containsExactly(0, 2);
  }

  @Test
  void nothingOfACoGroupWhoseResultIsNotACrossProduct() {
    PCollectionTuple.of("a", rows("A"))
        .and("b", rows("B"))
        .apply(CoGroup.join("a", By.fieldNames("k")).join("b", By.fieldNames("k")));

    assertThat(divisible()).isEmpty();
  }

  private static void join(
      String kind,
      PCollection<KV<Integer, Integer>> left,
      PCollection<KV<Integer, Integer>> right) {
    switch (kind) {
      case "inner" -> Join.innerJoin(left, right);
      case "left" -> Join.leftOuterJoin(left, right, -1);
      case "right" -> Join.rightOuterJoin(left, right, -1);
      default -> Join.fullOuterJoin(left, right, -1, -1);
    }
  }

  private PCollection<KV<Integer, Integer>> numbers(String name) {
    return pipeline.apply(name, Create.of(KV.of(1, 2), KV.of(2, 3)));
  }

  private PCollection<KV<Integer, Integer>> windowed(String name) {
    return numbers(name)
        .apply(name + "Windows", Window.into(FixedWindows.of(Duration.standardSeconds(1))));
  }

  private PCollection<Row> rows(String name) {
    return pipeline.apply(
        name, Create.of(Row.withSchema(SCHEMA).addValues(1, "a").build()).withRowSchema(SCHEMA));
  }

  /** The numbers of the sides of a join from where edges are marked, in rising order. */
  private List<Integer> divisible() {
    IRDag dag = PipelineTranslator.translate(pipeline, PipelineOptionsFactory.create(), 2).dag();
    List<IREdge> shuffles =
        dag.edges().stream().filter(e -> e.pattern() == CommunicationPattern.SHUFFLE).toList();
    assertThat(shuffles).isNotEmpty();
    return shuffles.stream()
        .filter(e -> e.property(Divisibility.class).equals(Optional.of(Divisibility.DIVISIBLE)))
        .map(e -> SIDE.matcher(dag.vertex(e.from()).name()))
        .peek(name -> assertThat(name.find()).isTrue())
        .map(name -> Integer.valueOf(name.group(1)))
        .sorted()
        .toList();
  }

  /** Named like a join, but what it makes of a group is its own affair. */
  private static final class CoGroupingJoin
      extends PTransform<PCollection<KV<Integer, Integer>>, PCollection<Integer>> {

    private static final long serialVersionUID = 1L;

    private final transient PCollection<KV<Integer, Integer>> right;

    CoGroupingJoin(PCollection<KV<Integer, Integer>> right) {
      this.right = right;
    }

    @Override
    public PCollection<Integer> expand(PCollection<KV<Integer, Integer>> left) {
      return KeyedPCollectionTuple.of(new TupleTag<Integer>(), left)
          .and(new TupleTag<Integer>(), right)
          .apply(CoGroupByKey.create())
          .apply(org.apache.beam.sdk.transforms.Keys.create());
    }
  }
}
