// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.codegen.UntranslatableException;
import java.io.Serializable;
import java.util.List;
import org.apache.beam.sdk.coders.CannotProvideCoderException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.extensions.sql.impl.transform.agg.AggregationCombineFnAdapter;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.SchemaCoder;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;

/**
 * An aggregate function of Beam's or of a user's, beside others that have cells of their own.
 *
 * @param combine of the column's values, NULLs too; or of rows if there are several columns
 * @param columns whose values it takes
 * @param arguments the schema of those rows
 * @param accumulators codes its accumulators
 */
record BeamFunction(
    CombineFn<Object, Object, Object> combine,
    List<Integer> columns,
    Schema arguments,
    Coder<Object> accumulators)
    implements Serializable {

  /**
   * The function of a call.
   *
   * @param input schema of the rows
   * @param result the field that it yields
   * @throws UntranslatableException if it has no columns, or Beam has no such function
   */
  @SuppressWarnings("unchecked") // Beam gives a function of whatever the column has
  static BeamFunction of(AggregateCall call, Schema input, Schema.Field result)
      throws UntranslatableException {
    List<Integer> columns = List.copyOf(call.getArgList());
    if (columns.isEmpty()) {
      throw new UntranslatableException(call.toString());
    }
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < columns.size(); i++) {
      schema.addField("argument" + i, input.getField(columns.get(i)).getType());
    }
    Schema arguments = schema.build();
    try {
      CombineFn<Object, Object, Object> combine =
          (CombineFn<Object, Object, Object>)
              AggregationCombineFnAdapter.createCombineFn(
                  call, result, call.getAggregation().getName());
      return new BeamFunction(
          combine,
          columns,
          arguments,
          combine.getAccumulatorCoder(CoderRegistry.createDefault(), coder(arguments)));
    } catch (UnsupportedOperationException | CannotProvideCoderException noFunction) {
      UntranslatableException untranslatable = new UntranslatableException(call.toString());
      untranslatable.initCause(noFunction);
      throw untranslatable;
    }
  }

  @SuppressWarnings("unchecked") // of a value or of a row of several
  private static Coder<Object> coder(Schema arguments) {
    if (arguments.getFieldCount() > 1) {
      return (Coder<Object>) (Coder<?>) SchemaCoder.of(arguments);
    }
    FieldType type = arguments.getField(0).getType();
    Coder<Object> coder = SchemaCoder.coderForFieldType(type.withNullable(false));
    return type.getNullable() ? NullableCoder.of(coder) : coder;
  }

  /** What the function takes of a row. */
  Object input(Row row) {
    if (columns.size() == 1) {
      return row.getValue(columns.get(0));
    }
    return Row.withSchema(arguments)
        .attachValues(columns.stream().map(column -> row.<Object>getValue(column)).toList());
  }
}
