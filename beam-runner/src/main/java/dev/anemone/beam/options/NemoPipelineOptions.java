// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import dev.anemone.runtime.engine.JobEngineOptions;
import java.util.List;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.DefaultValueFactory;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.FileStagingOptions;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Options of {@code NemoRunner}. {@code RunSettings} says which values are allowed.
 *
 * <p>{@code parallelism} and {@code maxParallelism} are declared exactly as Beam's Flink runner
 * declares its options of these names, and {@code blockOnRun} as its direct runner does: Beam
 * refuses to start when two runners on one class path declare an option differently.
 *
 * <p>All options that the runner reads are here, inherited, and it looks at options as this
 * interface and no other: for each interface that options are seen as, Beam checks all of their
 * methods against each other, some 20 ms each time where code is cold.
 */
public interface NemoPipelineOptions
    extends ClusterOptions,
        WaitOptions,
        ViewOptions,
        SqlPlannerOptions,
        ColumnarOptions,
        NdpOptions,
        MetricsOptions,
        FileStagingOptions {

  /** The policy where none is asked for. */
  String DEFAULT_POLICY = "Default";

  @Description(
      "The policy that optimizes the pipeline: a short name such as Default or LargeShuffle, the"
          + " class name of a policy of your own, or the name that it had in Apache Nemo.")
  @Default.String(DEFAULT_POLICY)
  String getOptimizationPolicy();

  void setOptimizationPolicy(String policy);

  @Description(
      "Passes to run instead of a policy, in this order, separated by commas: short names or class"
          + " names. What they leave open the default annotations decide. Default: none, and"
          + " --optimizationPolicy counts.")
  List<String> getPasses();

  void setPasses(List<String> passes);

  @Description(
      "Settings of passes, as name=value, separated by commas; one that no pass of the policy reads"
          + " is refused. Default: none.")
  List<String> getPassOptions();

  void setPassOptions(List<String> passOptions);

  @Description(
      "Tasks of every stage that reads a shuffle of more keys than one. Default: by the size of the"
          + " input.")
  @Default.Integer(-1)
  Integer getParallelism();

  void setParallelism(Integer parallelism);

  @Description("The most tasks that a stage may get by its size. Default: no limit.")
  @Default.Integer(-1)
  Integer getMaxParallelism();

  void setMaxParallelism(Integer maxParallelism);

  @Description(
      "How many tasks run at the same time in this JVM; on YARN, the executors say it. Default: the"
          + " processors of this machine.")
  @Default.InstanceFactory(AvailableProcessors.class)
  int getSlots();

  void setSlots(int slots);

  @Description(
      "Whether run() waits for the pipeline's end, and throws what has made it fail. false: it"
          + " returns when the job has been submitted, and its result can be waited for. With"
          + " --detached it never waits.")
  @Default.Boolean(true)
  boolean isBlockOnRun();

  void setBlockOnRun(boolean blockOnRun);

  @Description("How often a task is tried before the job fails, at least 1.")
  @Default.Integer(4)
  int getMaxTaskAttempts();

  void setMaxTaskAttempts(int maxTaskAttempts);

  @Description(
      "How often a job is run when running tasks again cannot make its result right: what a step"
          + " made at random was lost when some of its readers had ended, and was not the same when"
          + " it was made again. At least 1; a detached job is run once.")
  @Default.Integer(JobEngineOptions.JOB_ATTEMPTS)
  int getJobAttempts();

  void setJobAttempts(int jobAttempts);

  @Description(
      "How long, in ms, a task processes a restriction of a splittable DoFn before what is left of"
          + " it is divided among several tasks; 0: to its end. A DoFn that has a method"
          + " @SplitRestriction says by it what its parts are, and they are not divided.")
  @Default.Integer(5000)
  int getDivideRestrictionsAfterMs();

  void setDivideRestrictionsAfterMs(int divideRestrictionsAfterMs);

  @Description(
      "Where more than this percentage of the values that a task combines before a shuffle have a"
          + " key of their own, as counted for 100,000 of them from time to time, most values are"
          + " shuffled as they are, since combining them costs more than it saves. 100: all are"
          + " combined.")
  @Default.Integer(80)
  int getCombineAlonePercent();

  void setCombineAlonePercent(int combineAlonePercent);

  @Description(
      "Memory in MB that the operators of one task may hold before they spill. 0: half of the heap,"
          + " divided by the slots; on YARN, half of an executor's heap.")
  @Default.Integer(0)
  int getTaskMemoryMb();

  void setTaskMemoryMb(int taskMemoryMb);

  @Description(
      "Direct memory in MB for the data between the stages of a job, beyond which it spills. 0: half"
          + " of what the JVM allows, at most 2048. Jobs that run in one JVM at the same time share"
          + " the largest that one of them asks for. On YARN it is that of each executor, and a part"
          + " of its memory; 0: about a third of it.")
  @Default.Integer(0)
  int getOffHeapMemoryMb();

  void setOffHeapMemoryMb(int offHeapMemoryMb);

  @Description(
      "How shuffled and broadcast data is compressed: none, lz4 or zstd. Default: lz4 on YARN, where"
          + " it goes over a network, and none in this JVM.")
  String getCompression();

  void setCompression(String compression);

  @Description(
      "Whether slow tasks are run a second time beside the first attempt; which are slow,"
          + " speculationThreshold and speculationFraction of --passOptions say.")
  @Default.Boolean(false)
  boolean getSpeculation();

  void setSpeculation(boolean speculation);

  @Description(
      "Prints the plan to standard output before the pipeline runs: none; tree, the last plan with"
          + " what passes decided; text, json or dot, the whole plan after each pass; or svg, the last"
          + " plan as a picture, which needs dev.anemone:anemone-ui.")
  @Default.String("none")
  String getExplain();

  void setExplain(String explain);

  @Description("Compile and explain the pipeline, but do not run it.")
  @Default.Boolean(false)
  boolean getExplainOnly();

  void setExplainOnly(boolean explainOnly);

  @Description(
      "Directory for the plan after each pass, one JSON and one DOT file per pass. Default: none is"
          + " written.")
  String getDagDirectory();

  void setDagDirectory(String dagDirectory);

  @Description(
      "Servers of a pool of remote memory, all of them, such as host1:7070,host2:7070 (see"
          + " 'anemone pool'), by names that the nodes of a cluster reach, too."
          + " --optimizationPolicy=Disaggregation keeps data there. Default: no pool.")
  String getMemoryPool();

  void setMemoryPool(String memoryPool);

  @Description(
      "File with the secret that the servers of --memoryPool ask for, if they do. Default: no"
          + " secret.")
  String getMemoryPoolTokenFile();

  void setMemoryPoolTokenFile(String memoryPoolTokenFile);

  @Description(
      "How --memoryPool is reached: tcp or ucx. Default: the best that works on each machine.")
  String getMemoryPoolTransport();

  void setMemoryPoolTransport(String memoryPoolTransport);

  @Description(
      "How many MB of what was read from --memoryPool each process of a job keeps, at most 2047, for"
          + " what is read several times, such as broadcasts and divided partitions; it reads whole"
          + " pages then. Direct memory besides --offHeapMemoryMb; on YARN a part of each executor's"
          + " memory. 0: none.")
  @Default.Integer(0)
  int getMemoryPoolCacheMb();

  void setMemoryPoolCacheMb(int memoryPoolCacheMb);

  @Description(
      "After how many seconds that nobody reads it a page goes from --memoryPoolCacheMb; the memory is"
          + " given back when all have gone. 0: never.")
  @Default.Integer(60)
  int getMemoryPoolCacheSeconds();

  void setMemoryPoolCacheSeconds(int memoryPoolCacheSeconds);

  @Description(
      "For how many seconds a file stays that is written to pool:// (see docs/memory.md). 0: until"
          + " it is deleted.")
  @Default.Integer(0)
  int getMemoryPoolFileSeconds();

  void setMemoryPoolFileSeconds(int memoryPoolFileSeconds);

  @Description(
      "How producers push to aggregation tasks: direct (from memory to memory of one JVM, not on"
          + " YARN), netty (TCP), tcp or ucx (one-sided reads between registered memory), or auto for"
          + " the best transport that works. On YARN, a node that lacks it takes what is pushed by"
          + " netty. Default: direct, and on YARN netty.")
  String getPushTransport();

  void setPushTransport(String pushTransport);

  @Description(
      "On YARN, whether blocks that tasks pull from other nodes come by --pushTransport, too, from"
          + " executors that run there, and over HTTP from the nodes' shuffle handlers only where"
          + " none does.")
  @Default.Boolean(false)
  boolean getPullByTransport();

  void setPullByTransport(boolean pullByTransport);

  @Description(
      "Directory in persistent memory (a DAX file system) for data between stages;"
          + " --passOptions=intermediateStore=persistent_memory makes the policy Disaggregation use"
          + " it. Other file systems work, slower. On YARN local files are used in its place."
          + " Default: no persistent memory.")
  String getPersistentMemory();

  void setPersistentMemory(String persistentMemory);

  @Description("How many MB of --persistentMemory to use, at least 1 where that is given.")
  @Default.Integer(0)
  int getPersistentMemoryMb();

  void setPersistentMemoryMb(int persistentMemoryMb);

  @Description(
      "Local directory for what tasks write while the pipeline runs; on YARN only for what this"
          + " program itself writes, as tasks use the directories of their nodes. Default: the"
          + " system's temporary directory.")
  @Default.InstanceFactory(SystemTempDirectory.class)
  String getTempDirectory();

  void setTempDirectory(String tempDirectory);

  @Description(
      "What standard error shows of a job while it runs. auto: on a terminal a line with a bar for"
          + " each stage that runs, elsewhere plain lines every ten seconds, and at the end what came"
          + " of it, but nothing of a job that ends before. off: nothing.")
  @Default.String("auto")
  String getProgress();

  void setProgress(String progress);

  @Description(
      "Prints on standard error what went over each edge between stages, and what came of samples,"
          + " when somebody has waited for the pipeline's end.")
  @Default.Boolean(false)
  boolean getSummary();

  void setSummary(boolean summary);

  @Description(
      "Directory, local or hdfs://..., for the log of what happens to the job, <job id>.jsonl: its"
          + " plans after each pass, stages, every attempt of a task with times and bytes, memory,"
          + " metrics, and how it ended; see docs/event-log.md. Default: no log.")
  String getEventLog();

  void setEventLog(String eventLog);

  /** The default of {@link #getSlots}. */
  class AvailableProcessors implements DefaultValueFactory<Integer> {

    @Override
    public Integer create(PipelineOptions options) {
      return Runtime.getRuntime().availableProcessors();
    }
  }

  /** The default of {@link #getTempDirectory}. */
  class SystemTempDirectory implements DefaultValueFactory<String> {

    @Override
    public String create(PipelineOptions options) {
      return System.getProperty("java.io.tmpdir");
    }
  }
}
