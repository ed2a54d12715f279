// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.Objects;

/**
 * What an expression gives.
 *
 * @param type the type of the values
 * @param nullable whether it can give null
 */
public record ValueType(DataType type, boolean nullable) {

  public ValueType {
    Objects.requireNonNull(type, "type");
  }

  @Override
  public String toString() {
    return nullable ? type.text() : type.text() + " not null";
  }
}
