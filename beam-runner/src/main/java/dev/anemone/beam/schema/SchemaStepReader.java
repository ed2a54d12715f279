// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.schemas.FieldAccessDescriptor;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.transforms.CoGroup;
import org.apache.beam.sdk.schemas.transforms.Group;
import org.apache.beam.sdk.schemas.transforms.RenameFields;
import org.apache.beam.sdk.schemas.transforms.Select;
import org.apache.beam.sdk.schemas.utils.SelectHelpers;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;

/**
 * Reads what Beam's schema transforms do. {@code DropFields} is made of a {@code Select}, and
 * {@code Join} of a {@code CoGroup}, so that these two are among them.
 */
final class SchemaStepReader {

  private SchemaStepReader() {}

  /** Whether a transform may be a step. */
  static boolean isStep(PTransform<?, ?> transform) {
    return transform instanceof Select.Fields
        || transform instanceof Select.Flattened
        || transform instanceof RenameFields.Inner
        || transform instanceof Group.CombineFieldsByFields
        || transform instanceof CoGroup.ExpandCrossProduct;
  }

  static boolean isGrouping(Node node) {
    return node.getTransform() instanceof Group.CombineFieldsByFields;
  }

  static boolean isMatches(Node node) {
    return node.getTransform() instanceof CoGroup.ExpandCrossProduct;
  }

  /**
   * The step that a node of a pipeline is.
   *
   * @throws UnsaidStepException when it does what the relational IR cannot say
   */
  static SchemaStep read(Node node) throws UnsaidStepException {
    PTransform<?, ?> transform = node.getTransform();
    if (transform instanceof CoGroup.ExpandCrossProduct) {
      return matches(node);
    }
    PCollection<?> input = node.getInputs().values().iterator().next();
    if (transform instanceof Group.CombineFieldsByFields) {
      return grouping(node, input);
    } else if (transform instanceof RenameFields.Inner) {
      return new SchemaStep.Fields(node, input, SelectedFields.same(input.getSchema()));
    }
    return new SchemaStep.Fields(
        node, input, SelectedFields.of(input.getSchema(), selection(transform, input.getSchema())));
  }

  private static FieldAccessDescriptor selection(PTransform<?, ?> select, Schema schema) {
    // Names do not matter, since fields are known by their positions.
    return select instanceof Select.Flattened
        ? SelectHelpers.allLeavesDescriptor(schema, SelectHelpers.CONCAT_FIELD_NAMES)
        : (FieldAccessDescriptor) BeamMembers.call(select, "getFieldAccessDescriptor");
  }

  private static SchemaStep grouping(Node node, PCollection<?> input) throws UnsaidStepException {
    Schema schema = input.getSchema();
    Object fields = BeamMembers.call(node.getTransform(), "getByFields");
    List<FieldPath> keys = keys(schema, fields);
    Schema results = FieldPath.rowOf(output(node).getSchema().getField(1));
    Object aggregate = BeamMembers.call(node.getTransform(), "getSchemaAggregateFn");
    List<SchemaStep.Call> calls = new ArrayList<>();
    for (Object each : (List<?>) BeamMembers.call(aggregate, "getFieldAggregations")) {
      calls.add(call(schema, each, results.getField(calls.size())));
    }
    return new SchemaStep.Grouping(node, input, keys, calls);
  }

  private static SchemaStep.Call call(Schema schema, Object aggregation, Schema.Field result)
      throws UnsaidStepException {
    CombineFn<?, ?, ?> fn = (CombineFn<?, ?, ?>) BeamMembers.field(aggregation, "fn");
    KnownAggregate known =
        KnownAggregate.of(fn)
            .orElseThrow(
                () -> new UnsaidStepException("the combine function " + fn.getClass().getName()));
    if (result.getType().getTypeName() != known.result()) {
      throw new UnsaidStepException("the type of " + result.getName());
    }
    if (known.countsRows()) {
      return new SchemaStep.Call(known, Optional.empty());
    }
    Map<FieldPath, FieldPath> sources =
        SelectedFields.of(
            schema, (FieldAccessDescriptor) BeamMembers.field(aggregation, "fieldsToAggregate"));
    FieldPath argument = sources.get(FieldPath.ROOT.then(0));
    if (sources.size() != 1 || !known.takes(argument.field(schema).getType().getTypeName())) {
      throw new UnsaidStepException("the fields of the aggregate " + result.getName());
    }
    if (argument.isNullable(schema)) {
      throw new UnsaidStepException(
          "the field "
              + argument.field(schema).getName()
              + ", whose NULL an aggregate of Beam does not leave out");
    }
    return new SchemaStep.Call(known, Optional.of(argument));
  }

  private static SchemaStep matches(Node node) throws UnsaidStepException {
    Object arguments = BeamMembers.field(node.getTransform(), "joinArgs");
    Object ofAll = BeamMembers.field(arguments, "allInputsJoinArgs");
    Map<?, ?> ofTags = (Map<?, ?>) BeamMembers.field(arguments, "joinArgsMap");
    Map<String, PCollection<?>> inputs = new HashMap<>();
    for (Map.Entry<TupleTag<?>, PCollection<?>> input : node.getInputs().entrySet()) {
      inputs.put(input.getKey().getId(), input.getValue());
    }
    List<SchemaStep.Side> sides = new ArrayList<>();
    for (Schema.Field field : output(node).getSchema().getFields()) {
      PCollection<?> rows = inputs.get(field.getName());
      Object by = ofAll == null ? ofTags.get(field.getName()) : ofAll;
      if (rows == null || by == null) {
        throw new UnsaidStepException("a join whose side " + field.getName() + " is not known");
      }
      sides.add(
          new SchemaStep.Side(
              rows,
              keys(rows.getSchema(), by),
              (Boolean) BeamMembers.call(by, "getOptionalParticipation"),
              (Boolean) BeamMembers.call(by, "getSideInput")));
    }
    long optional = sides.stream().filter(SchemaStep.Side::optional).count();
    if (sides.size() < 2 || (optional == sides.size() && optional > 2)) {
      throw new UnsaidStepException("a join of " + sides.size() + " sides, all of them optional");
    }
    return new SchemaStep.Matches(node, sides);
  }

  private static List<FieldPath> keys(Schema schema, Object by) throws UnsaidStepException {
    FieldAccessDescriptor fields =
        (FieldAccessDescriptor) BeamMembers.call(by, "getFieldAccessDescriptor");
    Map<FieldPath, FieldPath> sources = SelectedFields.of(schema, fields);
    List<FieldPath> keys = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      FieldPath key = sources.get(FieldPath.ROOT.then(i));
      if (key == null || !isKey(key.field(schema).getType().getTypeName())) {
        throw new UnsaidStepException(
            "a key that is no whole number, text or boolean, or a row of keys");
      }
      keys.add(key);
    }
    if (keys.isEmpty()) {
      throw new UnsaidStepException("a group without keys");
    }
    return keys;
  }

  /** Whether values are equal in columns when the bytes of Beam's coders are. */
  private static boolean isKey(TypeName type) {
    return switch (type) {
      case INT32, INT64, STRING, BOOLEAN -> true;
      default -> false;
    };
  }

  private static PCollection<?> output(Node node) {
    return node.getOutputs().values().iterator().next();
  }
}
