// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import dev.anemone.ir.relational.DecimalType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/**
 * Declares how many digits the decimals of a collection have, which its schema cannot say, as the
 * property {@code decimals} does for tables of files. Queries can then run on it in columns. A
 * value that has more digits fails the job.
 *
 * <pre>{@code
 * rows.setRowSchema(DecimalDigits.declared(rows.getSchema(), 15, 2));
 * }</pre>
 */
public final class DecimalDigits {

  private static final String OPTION = "anemone:sql:decimals";

  private DecimalDigits() {}

  /**
   * A schema whose decimals all have such digits.
   *
   * @param precision all digits, 1 to 38
   * @param scale those behind the point
   * @throws dev.anemone.ir.relational.InvalidPlanException when there are no such decimals
   */
  public static Schema declared(Schema schema, int precision, int scale) {
    DecimalType digits = new DecimalType(precision, scale);
    Schema.Builder declared = Schema.builder();
    for (Schema.Field field : schema.getFields()) {
      declared.addField(
          field.getType().getTypeName() == Schema.TypeName.DECIMAL ? with(field, digits) : field);
    }
    return declared.setOptions(schema.getOptions()).build();
  }

  private static Schema.Field with(Schema.Field field, DecimalType digits) {
    return field.withOptions(
        Schema.Options.builder()
            .setOption(
                OPTION,
                FieldType.array(FieldType.INT32),
                List.of(digits.precision(), digits.scale()))
            .build());
  }

  /** What a column of decimals has, if it was declared. */
  public static Optional<DecimalType> of(Schema.Field field) {
    if (!field.getOptions().hasOption(OPTION)) {
      return Optional.empty();
    }
    List<Integer> digits =
        Objects.requireNonNull(field.getOptions().<List<Integer>>getValue(OPTION));
    return Optional.of(new DecimalType(digits.get(0), digits.get(1)));
  }
}
