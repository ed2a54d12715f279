// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.schema.PartColumns.Column;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.PCollection;

/**
 * Says steps in the relational IR, with no more columns than somebody asks for. For one part of a
 * pipeline; not thread-safe.
 */
final class StepConverter {

  private final Map<PCollection<?>, SchemaStep> steps;
  private final ColumnNames names = new ColumnNames();
  private final List<PartInput> inputs = new ArrayList<>();
  private final Set<Relation> small = new LinkedHashSet<>();

  /**
   * For a part.
   *
   * @param steps by the collection that they make; what else is read is an input
   */
  StepConverter(Map<PCollection<?>, SchemaStep> steps) {
    this.steps = Map.copyOf(steps);
  }

  /** The rows of others that are read so far. */
  List<PartInput> inputs() {
    return List.copyOf(inputs);
  }

  /** Whether a side of a join is to be broadcast. */
  Predicate<Relation> isSmall() {
    return small::contains;
  }

  /**
   * The columns of some fields of a collection.
   *
   * @throws UnsaidStepException when a field cannot be a column, or one that is not what rows have
   *     yet would be compared or aggregated
   */
  PartColumns convert(PCollection<?> rows, Set<FieldPath> wanted) throws UnsaidStepException {
    SchemaStep step = steps.get(rows);
    if (step == null) {
      return input(rows, wanted);
    } else if (step instanceof SchemaStep.Fields fields) {
      return selected(fields, wanted);
    } else if (step instanceof SchemaStep.Grouping grouping) {
      return grouped(grouping, wanted);
    }
    return new MatchConverter(this, names, small).matched((SchemaStep.Matches) step, wanted);
  }

  private PartColumns input(PCollection<?> rows, Set<FieldPath> wanted) throws UnsaidStepException {
    Schema schema = rows.getSchema();
    // Rows without columns are none.
    Set<FieldPath> read =
        wanted.isEmpty() ? Set.of(FieldPath.allOf(schema).iterator().next()) : wanted;
    List<FieldPath> paths = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    Map<FieldPath, Column> columns = new HashMap<>();
    for (FieldPath path : read) {
      Schema.Field field = path.field(schema);
      String name = names.fresh(field.getName());
      paths.add(path);
      fields.add(Field.nullable(name, ColumnTypes.of(field)));
      columns.put(path, new Column(name, Reading.AS_IS));
    }
    Relation.Input input = new Relation.Input("rows" + inputs.size(), new RowType(fields));
    inputs.add(new PartInput(rows, input, paths));
    return new PartColumns(input, columns);
  }

  private PartColumns selected(SchemaStep.Fields fields, Set<FieldPath> wanted)
      throws UnsaidStepException {
    Set<FieldPath> sources = new LinkedHashSet<>();
    for (FieldPath path : wanted) {
      sources.add(source(fields, path));
    }
    PartColumns input = convert(fields.input(), sources);
    Map<FieldPath, Column> columns = new HashMap<>();
    for (FieldPath path : wanted) {
      columns.put(path, input.column(source(fields, path)));
    }
    return new PartColumns(input.relation(), columns);
  }

  private static FieldPath source(SchemaStep.Fields fields, FieldPath path)
      throws UnsaidStepException {
    FieldPath source = fields.sources().get(path);
    if (source == null) {
      throw new UnsaidStepException("a row without fields");
    }
    return source;
  }

  private PartColumns grouped(SchemaStep.Grouping grouping, Set<FieldPath> wanted)
      throws UnsaidStepException {
    Set<FieldPath> read = new LinkedHashSet<>(grouping.keys());
    List<Integer> calls = new ArrayList<>();
    for (int i = 0; i < grouping.calls().size(); i++) {
      if (wanted.contains(FieldPath.ROOT.then(1).then(i))) {
        calls.add(i);
        grouping.calls().get(i).argument().ifPresent(read::add);
      }
    }
    PartColumns input = convert(grouping.input(), read);
    Map<FieldPath, Column> columns = new HashMap<>();
    Map<String, NamedExpression> before = new LinkedHashMap<>();
    for (int i = 0; i < grouping.keys().size(); i++) {
      Column key = asItIs(input, grouping.keys().get(i));
      before.put(key.name(), NamedExpression.column(key.name()));
      columns.put(FieldPath.ROOT.then(0).then(i), key);
    }
    List<String> keys = List.copyOf(before.keySet());
    List<AggregateCall> aggregates = new ArrayList<>();
    for (int i : calls) {
      SchemaStep.Call call = grouping.calls().get(i);
      String name = names.fresh(call.function().function().text());
      if (call.argument().isEmpty()) {
        aggregates.add(AggregateCall.countRows(name));
      } else {
        Column of = asItIs(input, call.argument().get());
        String argument = names.fresh(of.name());
        before.put(
            argument,
            new NamedExpression(
                argument, call.function().argument(new Expression.Column(of.name()))));
        aggregates.add(AggregateCall.of(name, call.function().function(), argument));
      }
      columns.put(FieldPath.ROOT.then(1).then(i), new Column(name, call.function().reading()));
    }
    Relation arguments =
        Relation.Step.of(new Project(List.copyOf(before.values())), input.relation());
    return new PartColumns(
        Relation.Step.of(Aggregate.complete(keys, aggregates), arguments), columns);
  }

  /** A column whose values are those of the field; a sum that may wrap is only handed on. */
  static Column asItIs(PartColumns columns, FieldPath field) throws UnsaidStepException {
    Column column = columns.column(field);
    if (column.reading() != Reading.AS_IS) {
      throw new UnsaidStepException(
          "a sum of whole numbers, which may wrap, as a key or as what is aggregated");
    }
    return column;
  }
}
