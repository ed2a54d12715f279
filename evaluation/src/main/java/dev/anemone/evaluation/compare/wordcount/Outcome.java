// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import java.time.Duration;

/** How a run ended. Only the time of a correct one means anything. */
sealed interface Outcome {

  /** Every count is right. */
  record Correct() implements Outcome {
    @Override
    public String description() {
      return "correct";
    }
  }

  /**
   * The program reported success, but counted wrong.
   *
   * @param differences from the true counts
   */
  record Wrong(String differences) implements Outcome {
    @Override
    public String description() {
      return "wrong: " + differences;
    }
  }

  /**
   * The program reported failure.
   *
   * @param exitCode of the process
   * @param messages the end of its log
   */
  record Failed(int exitCode, String messages) implements Outcome {
    @Override
    public String description() {
      return "failed with exit code " + exitCode + ":\n" + messages;
    }
  }

  /**
   * The program took too long.
   *
   * @param deadline after which it was killed
   */
  record Killed(Duration deadline) implements Outcome {
    @Override
    public String description() {
      return "killed after " + deadline.toSeconds() + " s";
    }
  }

  /** For people: one line, and for a failure its log. */
  String description();
}
