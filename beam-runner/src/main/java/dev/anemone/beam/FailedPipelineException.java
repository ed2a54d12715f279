// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.runtime.engine.FailureSite;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;

/** A pipeline failed. The cause is what user code threw; the message also says where that was. */
public final class FailedPipelineException extends PipelineExecutionException {

  private static final long serialVersionUID = 1L;

  private final String where;

  /**
   * A failure.
   *
   * @param cause what user code threw, or what the engine says
   */
  public FailedPipelineException(Throwable cause, FailureSite site) {
    super(cause);
    StringBuilder text = new StringBuilder();
    site.attempt().ifPresent(attempt -> text.append("It failed in ").append(attempt).append('.'));
    site.logCommand()
        .ifPresent(
            command ->
                text.append(text.isEmpty() ? "" : " ")
                    .append("The command '")
                    .append(command)
                    .append("' shows the log."));
    this.where = text.toString();
  }

  /**
   * Where the pipeline failed and how to see its log, in sentences; empty when nothing is known.
   */
  public String where() {
    return where;
  }

  @Override
  public String getMessage() {
    String what = super.getMessage();
    return where.isEmpty() ? what : what + (what.endsWith(".") ? " " : ". ") + where;
  }
}
