// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.options.NdpOptions;
import dev.anemone.beam.options.OptionCheck;
import java.io.Serializable;
import java.time.Duration;

/**
 * How long proxies are waited for.
 *
 * @param plan within which a split's operators must be done
 * @param status how long a proxy may take to say how it is
 * @param away how long a proxy is left alone that could not be reached, or was late
 */
public record ProxyWaits(Duration plan, Duration status, Duration away) implements Serializable {

  /** What the options say. */
  static ProxyWaits of(NdpOptions options) {
    return new ProxyWaits(
        seconds(
            "ndpDeadlineSeconds",
            options.getNdpDeadlineSeconds(),
            "seconds for the operators of a split"),
        seconds(
            "ndpStatusSeconds",
            options.getNdpStatusSeconds(),
            "seconds that a proxy may take to say how it is"),
        seconds(
            "ndpAwaySeconds", options.getNdpAwaySeconds(), "seconds that a proxy is left alone"));
  }

  private static Duration seconds(String option, int value, String what) {
    return Duration.ofSeconds(OptionCheck.atLeast(1, option, value, what));
  }
}
