// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import org.apache.beam.runners.core.construction.SerializablePipelineOptions;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What every task of a Beam job gets to know of the job.
 *
 * @param optionsJson the pipeline options, as Beam writes them
 */
public record JobPayload(String optionsJson) {

  public JobPayload {
    requireNonNull(optionsJson, "optionsJson");
  }

  /**
   * The payload for a pipeline.
   *
   * @throws IllegalArgumentException when an option's value cannot be written as JSON
   */
  public static JobPayload of(PipelineOptions options) {
    return new JobPayload(new SerializablePipelineOptions(options).toString());
  }

  /** Reads what {@link #toBytes} wrote. */
  public static JobPayload fromBytes(byte[] bytes) {
    return new JobPayload(new String(bytes, UTF_8));
  }

  public byte[] toBytes() {
    return optionsJson.getBytes(UTF_8);
  }

  /**
   * Parses the options, and makes them the default of Beam's file systems, as every Beam runner
   * does. Costs milliseconds: once per JVM and job.
   */
  public PipelineOptions options() {
    return new SerializablePipelineOptions(optionsJson).get();
  }
}
