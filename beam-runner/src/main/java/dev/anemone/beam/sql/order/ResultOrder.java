// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelCollations;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelFieldCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelRoot;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Sort;

/**
 * The {@code ORDER BY} of a query. A {@code PCollection} has no order, so none is made: whoever
 * shows or writes the rows one after the other sorts them first.
 *
 * <pre>{@code
 * PCollection<Row> result = input.apply(SqlTransform.query(text));
 * Comparator<Row> order = ResultOrder.of(result.getSchema()).comparator();
 * }</pre>
 *
 * <p>Keys that are not among the columns of the result end the order: it says what can be seen.
 *
 * @param keys the most significant first; empty if any order will do
 */
public record ResultOrder(List<Key> keys) {

  private static final String OPTION = "anemone:sql:order";

  /**
   * A column to sort by.
   *
   * @param index of the column, from 0
   */
  public record Key(int index, boolean descending, boolean nullsFirst) {

    private static final int DESCENDING = 1;
    private static final int NULLS_FIRST = 2;
    private static final int FLAGS = 4;

    public static Key of(int index, RelFieldCollation collation) {
      return new Key(
          index,
          collation.getDirection().isDescending(),
          collation.nullDirection == RelFieldCollation.NullDirection.FIRST);
    }

    private static Key decode(int code) {
      return new Key(code / FLAGS, (code & DESCENDING) != 0, (code & NULLS_FIRST) != 0);
    }

    private int encode() {
      return index * FLAGS + (descending ? DESCENDING : 0) + (nullsFirst ? NULLS_FIRST : 0);
    }
  }

  public ResultOrder {
    keys = List.copyOf(keys);
  }

  /**
   * That of the rows with a schema: of a query's result, if {@code AnemoneQueryPlanner} made it.
   */
  public static ResultOrder of(Schema schema) {
    Schema.Options options = schema.getOptions();
    return new ResultOrder(
        options.hasOption(OPTION)
            ? Objects.requireNonNull(options.<List<Integer>>getValue(OPTION)).stream()
                .map(Key::decode)
                .toList()
            : List.of());
  }

  public static ResultOrder of(RelRoot root) {
    List<Key> keys = new ArrayList<>();
    List<Integer> columns = List.copyOf(root.fields.leftList());
    for (RelFieldCollation collation : root.collation.getFieldCollations()) {
      int index = columns.indexOf(collation.getFieldIndex());
      if (index < 0) {
        break;
      }
      keys.add(Key.of(index, collation));
    }
    return new ResultOrder(keys);
  }

  /** The query without the sorting of its result, and with the columns that it asks for only. */
  public static RelNode withoutSort(RelRoot root) {
    boolean sortsOnly = root.rel instanceof Sort sort && sort.fetch == null && sort.offset == null;
    RelRoot unsorted =
        sortsOnly ? root.withRel(root.rel.getInput(0)).withCollation(RelCollations.EMPTY) : root;
    return unsorted.project(true);
  }

  /** A schema that says it. */
  public Schema describe(Schema schema) {
    return keys.isEmpty()
        ? schema
        : schema.withOptions(
            Schema.Options.builder()
                .setOption(
                    OPTION,
                    FieldType.array(FieldType.INT32),
                    keys.stream().map(Key::encode).toList())
                .build());
  }

  /** Compares rows of the result. All rows are equal to it if there are no keys. */
  public Comparator<Row> comparator() {
    return new RowComparator(keys);
  }
}
