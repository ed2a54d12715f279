// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import java.util.List;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Options of {@code NemoRunner} that say where a pipeline runs: in this JVM, or in containers of a
 * Hadoop YARN cluster, where an executor is a container that runs one task at a time. {@code
 * RunSettings} says which values are allowed.
 */
public interface ClusterOptions extends PipelineOptions {

  /** Memory in MB of an executor on YARN of which nothing is said. */
  int DEFAULT_EXECUTOR_MEMORY_MB = 1024;

  @Description("Where the pipeline runs: local, which is in this JVM, or yarn.")
  @Default.String(DeployMode.LOCAL_NAME)
  String getDeployMode();

  void setDeployMode(String deployMode);

  @Description(
      "Directory with the core-site.xml, hdfs-site.xml and yarn-site.xml of the cluster. Files of"
          + " its HDFS can be read and written in either deploy mode. Default: the environment"
          + " variable HADOOP_CONF_DIR, or else YARN_CONF_DIR.")
  String getHadoopConfDir();

  void setHadoopConfDir(String hadoopConfDir);

  @Description(
      "On YARN: memory in MB of an executor, for heap, off-heap memory and the JVM itself. Default:"
          + " 1024.")
  Integer getExecutorMemoryMb();

  void setExecutorMemoryMb(Integer executorMemoryMb);

  @Description("On YARN: virtual cores of an executor, which runs one task at a time. Default: 1.")
  Integer getTaskCores();

  void setTaskCores(Integer taskCores);

  @Description(
      "On YARN: the most executors at a time, so the most tasks. Default: as many as the cluster"
          + " has room for.")
  Integer getExecutors();

  void setExecutors(Integer executors);

  @Description(
      "JSON file that describes the executors, as Apache Nemo's: an array of {\"type\":"
          + " \"Transient\", \"Reserved\" or \"Compute\", \"memory_mb\": MB, \"capacity\": tasks at"
          + " a time, \"num\": executors (default 1), \"cores\": virtual cores of a task (default"
          + " 1), \"nodes\": [hosts] (default any)}. On YARN it takes the place of --executors,"
          + " --executorMemoryMb and --taskCores; in this JVM only its capacities count, in place of"
          + " --slots. Default: none.")
  String getExecutorJson();

  void setExecutorJson(String executorJson);

  @Description("On YARN: memory in MB of the application master.")
  @Default.Integer(1024)
  int getMasterMemoryMb();

  void setMasterMemoryMb(int masterMemoryMb);

  @Description("On YARN: the queue to submit to. Default: the cluster's.")
  String getQueue();

  void setQueue(String queue);

  @Description(
      "On YARN: whether the job goes on when this program ends. It needs --deadlineMinutes, and"
          + " 'anemone attach' shows what becomes of it.")
  @Default.Boolean(false)
  boolean getDetached();

  void setDetached(boolean detached);

  @Description(
      "Minutes after which a job with --detached is ended, if it has not ended by itself. Default:"
          + " none, which --detached refuses.")
  Integer getDeadlineMinutes();

  void setDeadlineMinutes(Integer deadlineMinutes);

  @Description("On YARN: seconds that the cluster may take to start the application master.")
  @Default.Integer(300)
  int getClusterStartTimeoutSeconds();

  void setClusterStartTimeoutSeconds(int clusterStartTimeoutSeconds);

  @Description(
      "Seconds that a cluster may take to answer: YARN what it has room for and what runs, before"
          + " the job or command fails, and HDFS where blocks lie, before tasks run anywhere.")
  @Default.Integer(30)
  int getClusterAnswerSeconds();

  void setClusterAnswerSeconds(int clusterAnswerSeconds);

  @Description(
      "On YARN: minutes that the class path may take to the cluster, where most of it stays for"
          + " later jobs.")
  @Default.Integer(10)
  int getShippingTimeoutMinutes();

  void setShippingTimeoutMinutes(int shippingTimeoutMinutes);

  @Description(
      "On YARN: days after which a jar is deleted from the cluster that no job of the user has"
          + " used; at least 2.")
  @Default.Integer(30)
  int getUnusedJarsDays();

  void setUnusedJarsDays(int unusedJarsDays);

  @Description(
      "On YARN: seconds that this program waits for its application to end; one that takes longer"
          + " is left to end by itself.")
  @Default.Integer(10)
  int getClusterStopSeconds();

  void setClusterStopSeconds(int clusterStopSeconds);

  @Description(
      "On YARN: seconds after which an application ends that has not heard of this program, unless"
          + " it is detached.")
  @Default.Integer(120)
  int getClientTimeoutSeconds();

  void setClientTimeoutSeconds(int clientTimeoutSeconds);

  @Description(
      "On YARN: seconds that an executor is kept for the next job when no task runs on it; after"
          + " twice as many it is gone, but for two.")
  @Default.Integer(60)
  int getIdleExecutorSeconds();

  void setIdleExecutorSeconds(int idleExecutorSeconds);

  @Description(
      "On YARN: minutes that tasks wait which may only run on hosts that are all lost, before the"
          + " application fails.")
  @Default.Integer(10)
  int getLostHostsMinutes();

  void setLostHostsMinutes(int lostHostsMinutes);

  @Description(
      "On YARN: seconds that a task waits for an executor, before tasks that depend on it are ended"
          + " to make room for it. While aggregation tasks run it is half of the time that it took to"
          + " gather what they have, if that is more, but no more than 12 times this.")
  @Default.Integer(5)
  int getRoomPatienceSeconds();

  void setRoomPatienceSeconds(int roomPatienceSeconds);

  @Description(
      "On YARN: seconds that a task tries to connect to a node that it fetches blocks from, before"
          + " it tries again.")
  @Default.Integer(5)
  int getFetchConnectSeconds();

  void setFetchConnectSeconds(int fetchConnectSeconds);

  @Description("On YARN: seconds that a node may send nothing while a task fetches blocks from it.")
  @Default.Integer(60)
  int getFetchReadSeconds();

  void setFetchReadSeconds(int fetchReadSeconds);

  @Description(
      "On YARN: seconds that a task tries a node that fails, before it says so of all blocks that"
          + " it wants from there; also how long it tries them all before it takes itself to be cut"
          + " off.")
  @Default.Integer(30)
  int getFetchPatienceSeconds();

  void setFetchPatienceSeconds(int fetchPatienceSeconds);

  @Description(
      "On YARN: seconds that a task leaves such a node alone, before it tries it again. When that"
          + " fails too, what the node has is made again, though no other task may say so.")
  @Default.Integer(30)
  int getFetchPenaltySeconds();

  void setFetchPenaltySeconds(int fetchPenaltySeconds);

  @Description(
      "On YARN: from how many nodes a task fetches blocks at the same time. A node that does not"
          + " answer holds up one of them.")
  @Default.Integer(5)
  int getFetchNodesAtOnce();

  void setFetchNodesAtOnce(int fetchNodesAtOnce);

  @Description(
      "On YARN: how many blocks of a node a task asks for in one request, of many producers on that"
          + " node.")
  @Default.Integer(20)
  int getFetchBlocksAtOnce();

  void setFetchBlocksAtOnce(int fetchBlocksAtOnce);

  @Description(
      "On YARN: a task begins no other fetch while so many MB that were fetched wait for it. They"
          + " are in the executor's memory as long as that has room, and on its disk else.")
  @Default.Integer(16)
  int getFetchAheadMb();

  void setFetchAheadMb(int fetchAheadMb);

  @Description(
      "Settings of Hadoop, YARN and Tez, as name=value, separated by commas. They come before those"
          + " of --hadoopConfDir, whose tez-site.xml can have values with commas. Default: none.")
  List<String> getClusterSettings();

  void setClusterSettings(List<String> clusterSettings);
}
