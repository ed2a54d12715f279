// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

/** Which casts have one meaning everywhere. */
final class Casts {

  private Casts() {}

  static boolean isAllowed(DataType from, DataType to) {
    if (from.equals(to)) {
      return true;
    }
    if (from instanceof DecimalType) {
      return to instanceof DecimalType || to == SimpleType.DOUBLE || to == SimpleType.STRING;
    }
    return switch ((SimpleType) from) {
      case INT32, INT64 ->
          to instanceof DecimalType
              || to == SimpleType.INT32
              || to == SimpleType.INT64
              || to == SimpleType.DOUBLE
              || to == SimpleType.STRING;
      case DATE -> to == SimpleType.TIMESTAMP || to == SimpleType.STRING;
      case TIMESTAMP -> to == SimpleType.DATE;
      case BOOLEAN -> to == SimpleType.STRING;
      case DOUBLE, STRING -> false;
    };
  }
}
