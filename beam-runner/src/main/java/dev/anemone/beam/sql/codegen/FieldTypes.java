// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/** The types of Beam's fields that hold values of SQL types. */
final class FieldTypes {
  private FieldTypes() {}

  /** The type, not nullable. */
  static FieldType of(RelDataType type) {
    return CalciteUtils.toFieldType(type).withNullable(false);
  }
}
