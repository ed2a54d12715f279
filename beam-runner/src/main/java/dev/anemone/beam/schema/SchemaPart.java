// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.columnar.DistributedRead;
import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.RowForm;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.exchange.DistributedQuery;
import dev.anemone.ir.relational.exchange.Fragmenter;
import dev.anemone.ir.relational.exchange.SideSizes;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;

/**
 * Steps of a pipeline that run in columns, as one query of the rows that they read.
 *
 * <pre>
 * before:  Select(Group(Join(orders, customers)))
 * after:   rows(query(columns(orders), columns(customers)))
 * </pre>
 */
final class SchemaPart extends PTransform<PCollectionList<Object>, PCollection<Row>> {
  private static final long serialVersionUID = 1;

  private final transient DistributedQuery query;
  private final transient List<PartInput> inputs;
  private final Schema columns;
  private final Schema result;
  private final List<FieldSource> fields;

  private SchemaPart(
      DistributedQuery query,
      List<PartInput> inputs,
      Schema columns,
      Schema result,
      List<FieldSource> fields) {
    this.query = query;
    this.inputs = List.copyOf(inputs);
    this.columns = columns;
    this.result = result;
    this.fields = List.copyOf(fields);
  }

  /**
   * The part that ends with a collection.
   *
   * @param steps of the part, by what they make
   * @throws UnsaidStepException when it cannot be said
   */
  static SchemaPart of(PCollection<?> result, Map<PCollection<?>, SchemaStep> steps)
      throws UnsaidStepException {
    Schema schema = result.getSchema();
    Set<FieldPath> wanted = FieldPath.allOf(schema);
    StepConverter converter = new StepConverter(steps);
    PartColumns columns = converter.convert(result, wanted);
    List<String> names = new ArrayList<>();
    for (FieldPath path : wanted) {
      String name = columns.column(path).name();
      if (!names.contains(name)) {
        names.add(name);
      }
    }
    Relation only =
        Relation.Step.of(
            new Project(names.stream().map(NamedExpression::column).toList()), columns.relation());
    Set<String> inputs = new TreeSet<>();
    converter.inputs().forEach(input -> inputs.add(input.input().name()));
    return new SchemaPart(
        Fragmenter.of(new RelationalQuery(only), SideSizes.of(converter.isSmall()), inputs),
        converter.inputs(),
        schemaOf(only.row()),
        schema,
        FieldSource.of(schema, columns, names));
  }

  private static Schema schemaOf(RowType row) {
    Schema.Builder schema = Schema.builder();
    row.fields()
        .forEach(
            field -> schema.addField(field.name(), ColumnTypes.fieldType(field.type().type())));
    return schema.build();
  }

  /** What it reads. */
  List<PartInput> inputs() {
    return inputs;
  }

  @Override
  public PCollection<Row> expand(PCollectionList<Object> rows) {
    List<PCollection<Row>> flat = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      PartInput input = inputs.get(i);
      Schema schema = schemaOf(input.input().row());
      flat.add(
          rows.get(i)
              .apply(
                  "Fields of " + input.input().name(),
                  ParDo.of(new FieldsAsColumnsFn(input.fields(), rows.get(i).getSchema(), schema)))
              .setCoder(CompactRowCoder.of(schema)));
    }
    return PCollectionList.of(flat)
        .apply(
            "Columns",
            new DistributedRead<>(
                query,
                new NoTables(),
                inputs.stream().map(input -> input.input().name()).toList(),
                new RowForm(columns),
                CompactRowCoder.of(columns)))
        .apply("Rows", ParDo.of(new ColumnsAsFieldsFn(result, fields)))
        .setRowSchema(result);
  }

  private static final class NoTables implements DistributedRead.TableReads {
    @Override
    public <T> PTransform<PBegin, PCollection<T>> of(
        String table, RelationalPlan plan, BatchForm<T> form, Coder<T> coder) {
      throw new IllegalArgumentException("no table: " + table);
    }
  }
}
