// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

/** A sender is not let in. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  public RefusedException(Refusal refusal) {
    super(refusal.reason());
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
