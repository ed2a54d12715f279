// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

/** A schema transform that the relational IR cannot say; the message names what it has. */
final class UnsaidStepException extends Exception {
  private static final long serialVersionUID = 1;

  UnsaidStepException(String what) {
    super(what);
  }
}
