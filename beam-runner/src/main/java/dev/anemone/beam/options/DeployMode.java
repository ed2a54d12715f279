// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import java.util.Arrays;

/** What {@link ClusterOptions#getDeployMode} can be. */
public enum DeployMode {
  /** In this JVM. */
  LOCAL,
  /** In containers of a Hadoop YARN cluster. */
  YARN;

  static final String LOCAL_NAME = "local";

  /**
   * The mode that the options ask for.
   *
   * @throws InvalidPipelineException when there is no such mode
   */
  public static DeployMode of(ClusterOptions options) {
    String name = options.getDeployMode();
    return Arrays.stream(values())
        .filter(mode -> mode.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidPipelineException(
                    "--deployMode=" + name + " is not known. Use local or yarn."));
  }
}
