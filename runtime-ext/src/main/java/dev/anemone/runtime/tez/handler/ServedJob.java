// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A job as a shuffle handler knows it.
 *
 * @param handler the kind that serves its blocks
 * @param application that the job is of
 * @param dag the job's number in its application
 */
public record ServedJob(HandlerKind handler, ApplicationId application, int dag) {

  private static final String APPLICATION = ApplicationId.appIdStrPrefix + "_";
  private static final String DAG_DIRECTORY = "dag_";

  public ServedJob {
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(application, "application");
  }

  /**
   * A job.
   *
   * @param applicationId as in {@code application_1700000000000_0001}
   * @throws IllegalArgumentException when the id is none
   */
  public static ServedJob of(HandlerKind handler, String applicationId, int dag) {
    return new ServedJob(handler, ApplicationId.fromString(applicationId), dag);
  }

  /** The first parameters of a request. */
  String query() {
    String job = "job=job_" + application.toString().substring(APPLICATION.length());
    return handler == HandlerKind.TEZ ? job + "&dag=" + dag : job;
  }

  /** Where the handler looks for blocks, below the application's directory on a disk. */
  String outputDirectory() {
    return handler == HandlerKind.TEZ ? DAG_DIRECTORY + dag + "/output" : "output";
  }

  /**
   * Whether a directory below the application's directory is of another of its jobs, with nothing
   * but blocks in it.
   */
  boolean isOfAnotherJob(String directoryName) {
    return handler == HandlerKind.TEZ
        && directoryName.startsWith(DAG_DIRECTORY)
        && !directoryName.equals(DAG_DIRECTORY + dag);
  }
}
