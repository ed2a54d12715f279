// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import org.apache.beam.sdk.coders.CustomCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/** Codes {@link RowKey}s; equal keys have equal bytes, and no others have. Thread-safe. */
public final class RowKeyCoder extends CustomCoder<RowKey> {
  private static final long serialVersionUID = 1;

  private final Schema schema;
  private transient FieldsCodec codec;

  private RowKeyCoder(Schema schema) {
    this.schema = schema;
  }

  /**
   * A coder.
   *
   * @param schema of the rows that keys are taken from
   * @param fields indexes of their columns
   */
  public static RowKeyCoder of(Schema schema, List<Integer> fields) {
    return new RowKeyCoder(fields.stream().map(schema::getField).collect(Schema.toSchema()));
  }

  private FieldsCodec codec() {
    if (codec == null) {
      // That of two threads may be built twice, and either one will do.
      codec = new FieldsCodec(schema.getFields().stream().map(Schema.Field::getType).toList());
    }
    return codec;
  }

  @Override
  public void encode(RowKey key, OutputStream out) throws IOException {
    codec().write(key::value, out);
  }

  @Override
  public RowKey decode(InputStream in) throws IOException {
    return new RowKey(codec().read(in));
  }

  @Override
  public void verifyDeterministic() {
    // Values are normalized, and codecs give equal values equal bytes.
  }

  @Override
  public boolean consistentWithEquals() {
    return true;
  }

  private List<FieldType> types() {
    return schema.getFields().stream().map(Schema.Field::getType).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowKeyCoder that && types().equals(that.types());
  }

  @Override
  public int hashCode() {
    return Objects.hash(types());
  }
}
