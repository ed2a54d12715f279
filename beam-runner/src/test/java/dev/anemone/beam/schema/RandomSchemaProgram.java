// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.schema.SchemaProgram.Rows;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.transforms.DropFields;
import org.apache.beam.sdk.schemas.transforms.Group;
import org.apache.beam.sdk.schemas.transforms.Join;
import org.apache.beam.sdk.schemas.transforms.Select;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Max;
import org.apache.beam.sdk.transforms.Mean;
import org.apache.beam.sdk.transforms.Min;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/** An aggregate of a join, of rows with random fields; equal seeds give equal programs. */
final class RandomSchemaProgram implements SchemaProgram {

  private static final List<FieldType> KEY_TYPES =
      List.of(FieldType.INT32, FieldType.INT64, FieldType.STRING, FieldType.BOOLEAN);
  private static final List<FieldType> OTHER_TYPES =
      List.of(
          FieldType.INT32,
          FieldType.INT64,
          FieldType.DOUBLE,
          FieldType.STRING,
          FieldType.BYTES,
          FieldType.DATETIME,
          FieldType.logicalType(SqlTypes.DATE));

  private final int seed;
  private final Rows left;
  private final Rows right;
  private final int keys;

  RandomSchemaProgram(int seed) {
    this.seed = seed;
    Random random = new Random(seed);
    this.keys = 1 + random.nextInt(2);
    List<FieldType> types = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      types.add(any(KEY_TYPES, random));
    }
    this.left = rows(types, random);
    this.right = rows(types, random);
  }

  List<String> run(String... options) {
    return run(left, right, options);
  }

  long parts() {
    return parts(left, right);
  }

  @Override
  public PCollection<Row> of(PCollection<Row> lefts, PCollection<Row> rights) {
    Random random = new Random(-seed);
    String[] names = new String[keys];
    for (int i = 0; i < keys; i++) {
      names[i] = "k" + i;
    }
    if (random.nextBoolean()) {
      String last = lefts.getSchema().getField(lefts.getSchema().getFieldCount() - 1).getName();
      lefts = lefts.apply("Drop", DropFields.fields(last));
    }
    Join.Impl<Row, Row> join =
        switch (random.nextInt(6)) {
          case 0 -> Join.innerJoin(rights);
          case 1 -> Join.leftOuterJoin(rights);
          case 2 -> Join.rightOuterJoin(rights);
          case 3 -> Join.fullOuterJoin(rights);
          case 4 -> Join.innerBroadcastJoin(rights);
          default -> Join.leftOuterBroadcastJoin(rights);
        };
    PCollection<Row> joined = lefts.apply(join.using(names));
    List<String> fields = new ArrayList<>();
    leaves(joined.getSchema(), "", fields);
    Collections.shuffle(fields, random);
    PCollection<Row> grouped = joined.apply(group(joined.getSchema(), fields, random));
    return switch (random.nextInt(3)) {
      case 0 -> grouped;
      case 1 -> grouped.apply("Flat", Select.flattenedSchema());
      default -> grouped.apply("Some", Select.fieldNames("value.n", "key"));
    };
  }

  private static Group.CombineFieldsByFields<Row> group(
      Schema schema, List<String> fields, Random random) {
    List<String> by =
        fields.stream()
            .filter(field -> KEY_TYPES.contains(type(schema, field).withNullable(false)))
            .limit(1 + random.nextInt(2))
            .toList();
    Group.CombineFieldsByFields<Row> group =
        Group.<Row>byFieldNames(by.toArray(String[]::new))
            .aggregateField(any(fields, random), Count.combineFn(), "n");
    for (String field : fields) {
      FieldType type = type(schema, field);
      String name = "f" + fields.indexOf(field);
      if (isNullable(schema, field) || random.nextBoolean()) {
        type = FieldType.BYTES; // no aggregate of it
      }
      if (type.getTypeName() == TypeName.INT32) {
        group = group.aggregateField(field, Sum.ofIntegers(), name);
        group = group.aggregateField(field, Min.ofIntegers(), name + "min");
      } else if (type.getTypeName() == TypeName.INT64) {
        group = group.aggregateField(field, Sum.ofLongs(), name);
        group = group.aggregateField(field, Max.ofLongs(), name + "max");
      } else if (type.getTypeName() == TypeName.DOUBLE) {
        group = group.aggregateField(field, Sum.ofDoubles(), name);
        group =
            group.aggregateField(field, Mean.of(), Schema.Field.of(name + "m", FieldType.DOUBLE));
      }
    }
    return group;
  }

  private static void leaves(Schema schema, String within, List<String> names) {
    for (Schema.Field field : schema.getFields()) {
      if (FieldPath.isRow(field)) {
        leaves(FieldPath.rowOf(field), within + field.getName() + ".", names);
      } else {
        names.add(within + field.getName());
      }
    }
  }

  private static FieldType type(Schema schema, String name) {
    return path(schema, name).field(schema).getType();
  }

  private static boolean isNullable(Schema schema, String name) {
    return path(schema, name).isNullable(schema);
  }

  private static FieldPath path(Schema schema, String name) {
    FieldPath path = FieldPath.ROOT;
    Schema at = schema;
    for (String part : name.split("\\.", -1)) {
      path = path.then(at.indexOf(part));
      Schema.Field field = at.getField(part);
      at = FieldPath.isRow(field) ? FieldPath.rowOf(field) : at;
    }
    return path;
  }

  private static Rows rows(List<FieldType> keyTypes, Random random) {
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < keyTypes.size(); i++) {
      schema.addField("k" + i, keyTypes.get(i).withNullable(random.nextBoolean()));
    }
    int others = 2 + random.nextInt(5);
    for (int i = 0; i < others; i++) {
      FieldType type = any(OTHER_TYPES, random);
      if (random.nextInt(4) == 0) {
        Schema inner = Schema.builder().addField("in", type).addInt32Field("x").build();
        type = FieldType.row(inner);
      }
      schema.addField("field_" + i, type.withNullable(random.nextInt(3) == 0));
    }
    Schema built = schema.build();
    List<Row> rows = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      rows.add(row(built, random));
    }
    return new Rows(built, rows);
  }

  private static Row row(Schema schema, Random random) {
    Row.Builder row = Row.withSchema(schema);
    for (Schema.Field field : schema.getFields()) {
      boolean isNull = field.getType().getNullable() && random.nextInt(3) == 0;
      row.addValue(isNull ? null : value(field, random));
    }
    return row.build();
  }

  private static Object value(Schema.Field field, Random random) {
    return switch (field.getType().getTypeName()) {
      case INT32 -> random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(4);
      case INT64 -> random.nextInt(4) == 0 ? Long.MIN_VALUE : (long) random.nextInt(4);
      case DOUBLE -> random.nextInt(6) == 0 ? Double.NaN : random.nextInt(8) / 4.0;
      case STRING -> any(List.of("", "a", "A", "a ", "\u00fc"), random);
      case BOOLEAN -> random.nextBoolean();
      case BYTES -> new byte[] {(byte) random.nextInt()};
      case DATETIME -> Instant.ofEpochMilli(random.nextLong() >> 20);
      case LOGICAL_TYPE -> LocalDate.ofEpochDay(random.nextInt(50_000) - 25_000);
      case ROW -> row(FieldPath.rowOf(field), random);
      default -> throw new IllegalArgumentException(field.toString());
    };
  }

  private static <T> T any(List<T> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }
}
