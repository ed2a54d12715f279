package dev.anemone.ndp.engine;

/**
 * A plan that means something could not be run to its end: the data is not what the table says, a
 * number does not fit, or a limit was reached. The message says which.
 */
public final class EngineException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public EngineException(String message) {
    super(message);
  }

  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
