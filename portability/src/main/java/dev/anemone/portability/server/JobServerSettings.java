// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;

/**
 * How a job server listens. It does so on this machine alone, since whoever reaches it runs code.
 *
 * @param jobPort where jobs are submitted; 0 for any free port
 * @param artifactPort where files are staged; 0 for any free port
 * @param expansionPort where transforms are expanded; 0 for any free port
 * @param artifacts the directory of staged files; made when it is not there
 * @param limits of the jobs that are kept
 * @param options of all jobs that do not have them themselves, as arguments of a program of Java
 */
public record JobServerSettings(
    int jobPort,
    int artifactPort,
    int expansionPort,
    Path artifacts,
    JobLimits limits,
    List<String> options) {

  private static final int MAX_PORT = 65_535;

  public JobServerSettings {
    requirePort("port", jobPort);
    requirePort("artifactPort", artifactPort);
    requirePort("expansionPort", expansionPort);
    requireNonNull(artifacts, "artifacts");
    requireNonNull(limits, "limits");
    options = List.copyOf(options);
  }

  /** With limits that are not changed, for jobs that have their own options alone. */
  public JobServerSettings(int jobPort, int artifactPort, int expansionPort, Path artifacts) {
    this(jobPort, artifactPort, expansionPort, artifacts, JobLimits.DEFAULT, List.of());
  }

  private static void requirePort(String option, int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "--" + option + "=" + port + " is no port. Give 1 to " + MAX_PORT + ", or 0 for any.");
    }
  }
}
