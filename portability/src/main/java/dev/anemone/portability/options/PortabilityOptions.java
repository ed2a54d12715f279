// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.options;

import dev.anemone.beam.options.OptionCheck;
import java.time.Duration;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** The options of pipelines that run in SDK harnesses. */
public interface PortabilityOptions extends PipelineOptions {

  /** Bytes. */
  long MIB = 1L << 20;

  @Description(
      "Keys with state or timers that a harness works on in one bundle, at most: a bundle whose"
          + " state fills its share of the task's memory ends before.")
  @Default.Integer(1000)
  int getStateKeysPerBundle();

  void setStateKeysPerBundle(int keys);

  @Description(
      "MB of an executor on YARN that are set aside for its SDK harness, where that is a process:"
          + " the heap of the executor has as much less.")
  @Default.Integer(256)
  int getHarnessMemoryMb();

  void setHarnessMemoryMb(int megabytes);

  @Description(
      "Seconds that an environment of the pipeline has until its SDK harness is there, with the files"
          + " that were staged and packages that are installed. The job fails when it is not.")
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
   * The checked value of {@link #getHarnessMemoryMb}, in bytes.
   *
   * @throws IllegalArgumentException when it is less than one
   */
  static long harnessMemoryBytes(PipelineOptions options) {
    return OptionCheck.atLeast(
            1,
            "harnessMemoryMb",
            options.as(PortabilityOptions.class).getHarnessMemoryMb(),
            "MB for a harness")
        * MIB;
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
