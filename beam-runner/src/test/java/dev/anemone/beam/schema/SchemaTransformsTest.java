// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.schema.SchemaProgram.Rows;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.schemas.FieldAccessDescriptor;
import org.apache.beam.sdk.schemas.JavaFieldSchema;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.transforms.CoGroup;
import org.apache.beam.sdk.schemas.transforms.Convert;
import org.apache.beam.sdk.schemas.transforms.DropFields;
import org.apache.beam.sdk.schemas.transforms.Group;
import org.apache.beam.sdk.schemas.transforms.Join;
import org.apache.beam.sdk.schemas.transforms.RenameFields;
import org.apache.beam.sdk.schemas.transforms.Select;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Max;
import org.apache.beam.sdk.transforms.Mean;
import org.apache.beam.sdk.transforms.Min;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schema transforms give the same in columns as in rows. */
@Tag("slow")
class SchemaTransformsTest {

  private static final Schema ADDRESS =
      Schema.builder().addStringField("city").addNullableField("zip", FieldType.INT32).build();

  private static final Schema LEFT =
      Schema.builder()
          .addInt64Field("id")
          .addNullableField("key", FieldType.INT32)
          .addStringField("name")
          .addInt32Field("amount")
          .addInt64Field("huge")
          .addDoubleField("ratio")
          .addNullableField("address", FieldType.row(ADDRESS))
          .addByteArrayField("bytes")
          .build();

  private static final Schema RIGHT =
      Schema.builder()
          .addNullableField("key", FieldType.INT32)
          .addStringField("name")
          .addInt64Field("value")
          .addBooleanField("good")
          .build();

  private static final Map<String, SchemaProgram> PROGRAMS = programs();

  private static Map<String, SchemaProgram> programs() {
    Map<String, SchemaProgram> programs = new LinkedHashMap<>();
    programs.put(
        "inner",
        (left, right) ->
            left.apply(Join.<Row, Row>innerJoin(right).using("key"))
                .apply(
                    Group.<Row>byFieldNames("lhs.name", "rhs.good")
                        .aggregateField("lhs.amount", Sum.ofIntegers(), "amount")
                        .aggregateField("rhs.value", Sum.ofLongs(), "value")
                        .aggregateField(
                            "lhs.amount", Mean.of(), Schema.Field.of("mean", FieldType.DOUBLE))
                        .aggregateField("rhs.value", Min.ofLongs(), "least")
                        .aggregateField("lhs.amount", Max.ofIntegers(), "most")
                        .aggregateField("lhs.ratio", Count.combineFn(), "n")));
    programs.put(
        "left, flat",
        (left, right) ->
            left.apply(
                    Join.<Row, Row>leftOuterJoin(right)
                        .on(Join.FieldsEqual.left("name", "key").right("name", "key")))
                .apply(
                    Group.<Row>byFieldNames("rhs.good", "lhs.address.city")
                        .aggregateField("lhs.huge", Sum.ofLongs(), "huge")
                        .aggregateField("rhs.value", Count.combineFn(), "n"))
                .apply(Select.flattenedSchema()));
    programs.put(
        "right, selected and renamed",
        (left, right) ->
            left.apply(DropFields.fields("bytes"))
                .apply(RenameFields.<Row>create().rename("name", "title").rename("id", "number"))
                .apply(
                    Join.<Row, Row>rightOuterJoin(
                            right.apply(Select.fieldNames("good", "name", "key")))
                        .on(Join.FieldsEqual.left("title").right("name")))
                .apply(
                    Group.<Row>byFieldNames("rhs.name", "rhs.key")
                        .aggregateField("rhs.good", Count.combineFn(), "n"))
                .apply(Select.fieldNames("value.n", "key.name")));
    programs.put(
        "full",
        (left, right) ->
            left.apply(Join.<Row, Row>fullOuterJoin(right).using("key", "name"))
                .apply(
                    Group.<Row>byFieldNames("lhs.key", "rhs.name")
                        .aggregateField("lhs.id", Count.combineFn(), "n")));
    programs.put(
        "joined again, with rows that are not there",
        (left, right) -> {
          var counts =
              left.apply(Join.<Row, Row>innerJoin(right).using("name"))
                  .apply(
                      Group.<Row>byFieldNames("lhs.name")
                          .aggregateField("rhs.value", Sum.ofLongs(), "value"))
                  .apply("Flat", Select.flattenedSchema());
          return right.apply(
              "Again",
              Join.<Row, Row>leftOuterJoin(counts)
                  .on(Join.FieldsEqual.left("name").right("key_name")));
        });
    programs.put(
        "broadcast",
        (left, right) ->
            left.apply(Join.<Row, Row>leftOuterBroadcastJoin(right).using("key"))
                .apply(
                    Group.<Row>byFieldNames("rhs.name")
                        .aggregateField("lhs.amount", Sum.ofIntegers(), "amount")));
    programs.put(
        "three sides",
        (left, right) ->
            PCollectionTuple.of("a", left)
                .and("b", right)
                .and(
                    "c",
                    right.apply(
                        "Few",
                        Select.fieldAccess(FieldAccessDescriptor.withFieldNames("name", "value"))))
                .apply(
                    CoGroup.join("a", CoGroup.By.fieldNames("name"))
                        .join("b", CoGroup.By.fieldNames("name").withOptionalParticipation())
                        .join("c", CoGroup.By.fieldNames("name"))
                        .crossProductJoin())
                .apply(
                    Group.<Row>byFieldNames("a.key", "b.good")
                        .aggregateField("c.value", Sum.ofLongs(), "value")));
    return programs;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void giveTheSame(int seed) {
    Rows left = left(seed, seed == 3 ? 0 : 60);
    Rows right = right(seed, 40);
    PROGRAMS.forEach(
        (name, program) ->
            assertThat(program.run(left, right))
                .as(name)
                .isEqualTo(program.run(left, right, "--columnar=off")));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void randomProgramsGiveTheSame(int seed) {
    RandomSchemaProgram program = new RandomSchemaProgram(seed);
    assertThat(program.parts()).isEqualTo(1);
    assertThat(program.run()).isEqualTo(program.run("--columnar=off"));
  }

  @Test
  void runInColumns() {
    PROGRAMS.forEach(
        (name, program) -> {
          assertThat(program.reasons(left(1, 1), right(1, 1))).as(name).isEmpty();
          assertThat(program.parts(left(1, 1), right(1, 1))).as(name).isEqualTo(1);
          assertThat(program.parts(left(1, 1), right(1, 1), "--columnar=off")).as(name).isZero();
        });
  }

  /** As with queries of collections: to make batches of rows would not be worth it. */
  @Test
  void stayRowsWhereThatIsNotWorthIt() {
    SchemaProgram join = (left, right) -> left.apply(Join.<Row, Row>innerJoin(right).using("key"));
    SchemaProgram group =
        (left, right) ->
            left.apply(Group.<Row>byFieldNames("name").aggregateField("id", Sum.ofLongs(), "sum"));
    assertThat(join.parts(left(1, 1), right(1, 1))).isZero();
    assertThat(group.parts(left(1, 1), right(1, 1))).isZero();
    assertThat(join.reasons(left(1, 1), right(1, 1))).isEmpty();
  }

  @Test
  void sayWhatIsNotSaid() {
    assertThat(reasons("lhs.amount", Sum.ofIntegers(), "lhs.key", "amount")).isEmpty();
    assertThat(reasons("lhs.amount", new Sums(), "lhs.key", "amount"))
        .singleElement()
        .asString()
        .endsWith("' runs in rows, because of the combine function " + Sums.class.getName());
    assertThat(reasons("rhs.key", Sum.ofIntegers(), "lhs.name", "key"))
        .singleElement()
        .asString()
        .contains("the field key, whose NULL an aggregate of Beam does not leave out");
    assertThat(reasons("lhs.amount", Sum.ofIntegers(), "lhs.bytes", "amount"))
        .singleElement()
        .asString()
        .contains("a key that is no whole number, text or boolean");
  }

  private static List<String> reasons(
      String field, Combine.CombineFn<Integer, ?, Integer> fn, String key, String name) {
    SchemaProgram program =
        (left, right) ->
            left.apply(Join.<Row, Row>innerJoin(right).using("key"))
                .apply(Group.<Row>byFieldNames(key).aggregateField(field, fn, name))
                .apply(Select.flattenedSchema());
    return program.reasons(left(1, 1), right(1, 1));
  }

  private static final class Sums extends Combine.BinaryCombineIntegerFn {
    private static final long serialVersionUID = 1L;

    @Override
    public int apply(int left, int right) {
      return left + right;
    }

    @Override
    public int identity() {
      return 0;
    }
  }

  /** Collections of objects, whose schema is that of their fields. */
  @Test
  void readObjects() {
    SchemaProgram program =
        (left, right) ->
            left.apply("Objects", Convert.to(Named.class))
                .apply(Join.<Named, Row>innerJoin(right).using("name"))
                .apply(
                    Group.<Row>byFieldNames("rhs.good")
                        .aggregateField("lhs.number", Sum.ofIntegers(), "sum"));
    Schema schema = Schema.builder().addStringField("name").addInt32Field("number").build();
    Rows named =
        new Rows(
            schema,
            List.of(
                Row.withSchema(schema).addValues("a", 2).build(),
                Row.withSchema(schema).addValues("b", 3).build()));
    assertThat(program.parts(named, right(1, 1))).isEqualTo(1);
    assertThat(program.run(named, right(1, 30)))
        .isEqualTo(program.run(named, right(1, 30), "--columnar=off"))
        .isNotEmpty();
  }

  /** An object with a schema. */
  @DefaultSchema(JavaFieldSchema.class)
  public static final class Named {
    public String name;
    public int number;
  }

  @Test
  void theExplanationHasTheQuery() {
    assertThat(printed(PROGRAMS.get("inner"), left(1, 1), right(1, 1), "--explain=text"))
        .contains("Columns/Result")
        .contains("hash(");
  }

  /** What a program has in memory has a known size, though no planner has seen it. */
  @Test
  void ofWhichOneSideIsSmallGiveTheSame() {
    Rows left = left(1, 200);
    Rows right = right(1, 40);
    String[] few = {"--passOptions=keepExchanges=true,broadcastJoinBytes=4000", "--explain=tree"};
    for (String name : List.of("inner", "left, flat")) {
      assertThat(printed(PROGRAMS.get(name), left, right, few))
          .as(name)
          .contains("goes to the tasks that make");
    }
    PROGRAMS.forEach(
        (name, program) ->
            assertThat(program.run(left, right, few[0]))
                .as(name)
                .isEqualTo(program.run(left, right, "--columnar=off")));
  }

  private static String printed(SchemaProgram program, Rows left, Rows right, String... options) {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      program.run(left, right, options);
    } finally {
      System.setOut(before);
    }
    // Lines are wrapped, wherever that is.
    return printed.toString(UTF_8).replaceAll("\\s+", " ");
  }

  @Test
  void stayRowsInWindows() {
    SchemaProgram program =
        (left, right) ->
            PROGRAMS
                .get("inner")
                .of(
                    left.apply("A", Window.into(FixedWindows.of(Duration.millis(5)))),
                    right.apply("B", Window.into(FixedWindows.of(Duration.millis(5)))));
    assertThat(program.parts(left(1, 1), right(1, 1))).isZero();
  }

  /** A step whose rows are read twice is no inner step of a part, but may be its end. */
  @Test
  void whatOthersReadTooIsMade() {
    SchemaProgram program =
        (left, right) -> {
          var joined = left.apply(Join.<Row, Row>innerJoin(right).using("name"));
          var grouped =
              joined.apply(
                  Group.<Row>byFieldNames("lhs.name")
                      .aggregateField("rhs.value", Sum.ofLongs(), "value"));
          joined.apply("Other", Select.fieldNames("lhs.id"));
          return grouped.apply(Select.flattenedSchema());
        };
    assertThat(program.parts(left(1, 1), right(1, 1))).isZero();
    assertThat(program.run(left(1, 20), right(1, 20)))
        .isEqualTo(program.run(left(1, 20), right(1, 20), "--columnar=off"));
  }

  private static Rows left(int seed, int count) {
    Random random = new Random(seed);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Row address =
          Row.withSchema(ADDRESS)
              .addValues(text(random), random.nextInt(3) == 0 ? null : random.nextInt(9))
              .build();
      rows.add(
          Row.withSchema(LEFT)
              .addValues(
                  (long) i,
                  random.nextInt(4) == 0 ? null : random.nextInt(5),
                  text(random),
                  // Sums of these wrap.
                  random.nextBoolean() ? random.nextInt() : Integer.MAX_VALUE,
                  random.nextBoolean() ? random.nextLong() : Long.MIN_VALUE,
                  random.nextInt(8) == 0 ? Double.NaN : random.nextInt(100) / 4.0,
                  random.nextInt(3) == 0 ? null : address,
                  new byte[] {1})
              .build());
    }
    return new Rows(LEFT, rows);
  }

  private static Rows right(int seed, int count) {
    Random random = new Random(100 + seed);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          Row.withSchema(RIGHT)
              .addValues(
                  random.nextInt(4) == 0 ? null : random.nextInt(5),
                  text(random),
                  random.nextBoolean() ? random.nextLong() : Long.MAX_VALUE,
                  random.nextBoolean())
              .build());
    }
    return new Rows(RIGHT, rows);
  }

  private static String text(Random random) {
    return List.of("", "a", "b", "\u00e9\ud83d\ude00", "long enough a text").get(random.nextInt(5));
  }
}
