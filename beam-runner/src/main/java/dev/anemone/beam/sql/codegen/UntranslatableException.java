// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

/**
 * Says that there is no code for an expression, of ours or of Calcite's. The planner then takes
 * Beam's operator, so nobody sees it.
 */
public final class UntranslatableException extends Exception {
  private static final long serialVersionUID = 1;

  public UntranslatableException(String what) {
    super(what);
  }
}
