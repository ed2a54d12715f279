// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

/**
 * A pipeline or an option that cannot be run. Thrown before anything runs. The message is one
 * paragraph: the step or option, what is wrong with it, and what would be right.
 */
public class InvalidPipelineException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  public InvalidPipelineException(String message) {
    super(message);
  }

  public InvalidPipelineException(String message, Throwable cause) {
    super(message, cause);
  }
}
