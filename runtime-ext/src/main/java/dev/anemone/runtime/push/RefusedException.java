package dev.anemone.runtime.push;

/** A sender is not let in. */
final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  RefusedException(Refusal refusal) {
    super(refusal.reason());
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
