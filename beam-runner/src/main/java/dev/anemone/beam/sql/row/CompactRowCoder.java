// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.SchemaCoder;
import org.apache.beam.sdk.transforms.SerializableFunctions;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;

/**
 * Codes rows in few bytes: a bitmap of the NULLs where columns are nullable, whole numbers and
 * dates in one to ten bytes, decimals as scale and unscaled {@code long}. Beam's coder has a header
 * of two counters in each row and takes a decimal's digits through a {@code BigInteger}. It is a
 * {@link SchemaCoder}, so a collection that has it has its schema. Thread-safe.
 */
public final class CompactRowCoder extends SchemaCoder<Row> {
  private static final long serialVersionUID = 1;

  private transient FieldsCodec codec;

  private CompactRowCoder(Schema schema) {
    super(
        schema,
        TypeDescriptors.rows(),
        SerializableFunctions.identity(),
        SerializableFunctions.identity());
  }

  /** A coder of rows of a schema. */
  public static CompactRowCoder of(Schema schema) {
    return new CompactRowCoder(schema);
  }

  private FieldsCodec codec() {
    if (codec == null) {
      // That of two threads may be built twice, and either one will do.
      codec = new FieldsCodec(getSchema().getFields().stream().map(Schema.Field::getType).toList());
    }
    return codec;
  }

  @Override
  public void encode(Row row, OutputStream out) throws IOException {
    codec().write(row::getValue, out);
  }

  @Override
  public Row decode(InputStream in) throws IOException {
    return Row.withSchema(getSchema()).attachValues(codec().read(in));
  }

  /** Not that of the superclass, which generates the class of Beam's coder. */
  @Override
  public String toString() {
    return "CompactRowCoder(" + getSchema() + ")";
  }
}
