// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.options;

import dev.anemone.beam.options.OptionCheck;
import java.time.Duration;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** The options of pipelines that run in SDK harnesses. */
public interface PortabilityOptions extends PipelineOptions {

  @Description(
      "Keys with state or timers that a harness works on in one bundle, at most: a bundle whose"
          + " state fills its share of the task's memory ends before.")
  @Default.Integer(1000)
  int getStateKeysPerBundle();

  void setStateKeysPerBundle(int keys);

  @Description(
      "Seconds that an environment of the pipeline has until its SDK harness is there. The job fails"
          + " when it is not.")
  @Default.Integer(120)
  int getHarnessStartSeconds();

  void setHarnessStartSeconds(int seconds);

  /**
   * The checked value of {@link #getHarnessStartSeconds}.
   *
   * @throws IllegalArgumentException when it is less than one
   */
  static Duration harnessStart(PipelineOptions options) {
    return Duration.ofSeconds(
        OptionCheck.atLeast(
            1,
            "harnessStartSeconds",
            options.as(PortabilityOptions.class).getHarnessStartSeconds(),
            "seconds until a harness is there"));
  }

  /**
   * The checked value of {@link #getStateKeysPerBundle}.
   *
   * @throws IllegalArgumentException when it is less than one
   */
  static int keysPerBundle(PipelineOptions options) {
    return OptionCheck.atLeast(
        1,
        "stateKeysPerBundle",
        options.as(PortabilityOptions.class).getStateKeysPerBundle(),
        "keys of a bundle");
  }
}
