// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The first event of a job.
 *
 * @param version of the log's format, {@link #VERSION} for what this project writes
 * @param anemone the version of this project
 * @param job the job's id
 * @param name what a person calls the job
 * @param policy the policy, or the passes that were asked for instead, joined by commas
 * @param options by name, as text; none that is a secret
 * @param environment where the job was started
 */
public record JobStarted(
    long time,
    int version,
    String anemone,
    String job,
    String name,
    String policy,
    Map<String, String> options,
    Environment environment)
    implements JobEvent {

  /** The format that {@link EventLogWriter} writes. */
  public static final int VERSION = 1;

  public JobStarted {
    anemone = Absent.text(anemone);
    Objects.requireNonNull(job, "job");
    name = Absent.text(name);
    policy = Absent.text(policy);
    options = Collections.unmodifiableMap(new TreeMap<>(Absent.map(options)));
    environment = environment == null ? Environment.UNKNOWN : environment;
  }

  /**
   * Where a job was started.
   *
   * @param java version of the client's Java
   * @param os name and version of its operating system
   * @param host its name
   * @param processors of its machine
   * @param heapBytes the most heap that the client's JVM may have
   * @param offHeapBytes memory for the data between stages, of each executor
   * @param deployMode {@code local} or {@code yarn}
   */
  public record Environment(
      String java,
      String os,
      String host,
      int processors,
      long heapBytes,
      long offHeapBytes,
      String deployMode) {

    /** Of a log that does not say it. */
    public static final Environment UNKNOWN = new Environment("", "", "", 0, 0, 0, "");

    public Environment {
      java = Absent.text(java);
      os = Absent.text(os);
      host = Absent.text(host);
      deployMode = Absent.text(deployMode);
    }
  }
}
