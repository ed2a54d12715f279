// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.FailureSite;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailedPipelineExceptionTest {

  private static final String LOG = "yarn logs -applicationId application_1_0002";

  @Test
  void itSaysWhatHappenedThenWhereThenWhereTheLogIs() {
    assertThat(failure("it broke", Optional.of("task 3 of Do, attempt 3"), Optional.of(LOG)))
        .hasMessage(
            "java.lang.IllegalStateException: it broke. It failed in task 3 of Do, attempt 3. The"
                + " command '"
                + LOG
                + "' shows the log.")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatIsNotKnownIsNotSaid() {
    assertThat(failure("it broke.", Optional.empty(), Optional.of(LOG)))
        .hasMessage(
            "java.lang.IllegalStateException: it broke. The command '" + LOG + "' shows the log.");
    assertThat(failure("it broke", Optional.empty(), Optional.empty()))
        .hasMessage("java.lang.IllegalStateException: it broke");
  }

  private static FailedPipelineException failure(
      String message, Optional<String> attempt, Optional<String> logCommand) {
    return new FailedPipelineException(
        new IllegalStateException(message), new FailureSite(attempt, logCommand));
  }
}
