// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.tez.job.HadoopJobDirectory;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.client.FrameworkClient;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGClientImpl;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.records.TezDAGID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job that was detached, and is followed by another client. */
public final class AttachedJob extends FollowedJob {

  private static final Logger LOG = LoggerFactory.getLogger(AttachedJob.class);

  private final TezConfiguration configuration;
  private final ApplicationId application;
  private final HadoopJobDirectory directory;
  private final ClassLoader classLoader;

  /**
   * A job.
   *
   * @param name of its application, which ends with the job's id
   * @param directory what its tasks tell; deleted when it has been read
   * @param classLoader loads what the job may have thrown
   */
  public AttachedJob(
      String name,
      TezConfiguration configuration,
      ApplicationId application,
      HadoopJobDirectory directory,
      boolean progress,
      ClassLoader classLoader) {
    super(name, jobId(name), progress);
    this.configuration = configuration;
    this.application = application;
    this.directory = directory;
    this.classLoader = classLoader;
  }

  /** The name of the application of a detached job. */
  public static String applicationName(String jobName, String jobId) {
    return jobName + " " + jobId;
  }

  /** The id of the job of an application with this name. */
  public static String jobId(String applicationName) {
    return applicationName.substring(applicationName.lastIndexOf(' ') + 1);
  }

  @Override
  JobResult runToItsEnd() throws Exception {
    FrameworkClient client = FrameworkClient.createFrameworkClient(configuration);
    client.init(configuration);
    client.start();
    // A detached application has one DAG, and Tez counts from 1.
    String dagId = TezDAGID.getInstance(application, 1).toString();
    try (FrameworkClientCloser closedLast = client::close;
        DAGClient dag =
            new DAGClientImpl(
                application, dagId, configuration, client, UserGroupInformation.getCurrentUser())) {
      JobFiles files = new JobFiles(directory);
      DAGStatus status = follow(dag, files, dag::tryKillDAG);
      JobResult result =
          outcome(status, files, classLoader, TezSession.logCommand(applicationId()));
      deleteFiles();
      return result;
    }
  }

  private void deleteFiles() {
    try {
      directory.delete();
    } catch (IOException e) {
      LOG.warn("Files of job {} were left behind", name(), e);
    }
  }

  @Override
  public Optional<String> applicationId() {
    return Optional.of(application.toString());
  }

  /** Narrows what closing throws. */
  @FunctionalInterface
  private interface FrameworkClientCloser extends AutoCloseable {
    @Override
    void close() throws IOException;
  }
}
