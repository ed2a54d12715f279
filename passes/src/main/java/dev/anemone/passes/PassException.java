// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

/** A pass failed or did what it must not do. The message names the pass and says what was wrong. */
public class PassException extends RuntimeException {

  private final String pass;

  /**
   * @param pass name or path of the pass
   * @param problem completes "pass X ..."
   */
  public PassException(String pass, String problem) {
    this(pass, problem, null);
  }

  /**
   * @param pass name or path of the pass
   * @param problem completes "pass X ..."
   * @param cause what the pass or the checker threw
   */
  public PassException(String pass, String problem, Throwable cause) {
    super("Pass " + pass + " " + problem, cause);
    this.pass = pass;
  }

  /** Name or path of the pass. */
  public String pass() {
    return pass;
  }
}
