// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.experiment;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Shared options that do not take every value. */
public interface CheckedOptions {

  /**
   * Checks them, before anything is done.
   *
   * @throws ParameterException if one cannot be
   */
  void check(CommandLine command);

  /**
   * Refuses a number below 1.
   *
   * @param reason why there must be one
   */
  static void requirePositive(CommandLine command, String option, int value, String reason) {
    if (value < 1) {
      throw new ParameterException(command, option + "=" + value + ": " + reason + ".");
    }
  }
}
