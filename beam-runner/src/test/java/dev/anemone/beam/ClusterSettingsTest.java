// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ClusterWaits;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.tez.container.ContainerSizes;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@link RunSettings} makes of the options that say where a pipeline runs. */
class ClusterSettingsTest {

  private static final String EXECUTORS =
      "[{\"type\": \"Reserved\", \"memory_mb\": 2048, \"capacity\": 2, \"num\": 3},"
          + " {\"type\": \"Transient\", \"memory_mb\": 1024, \"capacity\": 1}]";

  @TempDir Path directory;

  @Test
  void aPipelineRunsInThisJvmUnlessItIsToldOtherwise() {
    assertThat(settings(Map.of("HADOOP_CONF_DIR", "/no/such/directory")).engine().deployment())
        .isEqualTo(new Deployment.InProcess());
  }

  @Test
  void onYarnEverythingButTheClusterHasADefault() {
    Deployment.Yarn yarn = yarn();

    assertThat(yarn.configuration()).isEqualTo(directory.toAbsolutePath());
    assertThat(yarn.executors())
        .containsExactly(
            new ExecutorGroup(ResourcePriority.NONE, 1024, 1, Optional.empty(), List.of()));
    assertThat(yarn.masterMemoryMb()).isEqualTo(1024);
    assertThat(yarn.queue()).isEmpty();
    assertThat(yarn.lifetime()).isEqualTo(new Deployment.Lifetime.Attached(Duration.ofMinutes(2)));
    assertThat(yarn.waits())
        .isEqualTo(
            new ClusterWaits(
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofDays(30)));
    assertThat(yarn.settings()).isEmpty();
  }

  @Test
  void theClassesOfTheProgramAreShipped() {
    assertThat(yarn().classPath())
        .contains(
            Path.of(
                RunSettings.class.getProtectionDomain().getCodeSource().getLocation().getPath()));
  }

  @Test
  void filesToStageAreShippedWithThem() throws IOException {
    Path jar = directory.resolve("driver.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("driver.properties"));
    }
    Path classes = Files.createDirectory(directory.resolve("classes"));

    assertThat(yarn("--filesToStage=" + jar + "," + classes).classPath())
        .containsAll(yarn().classPath())
        .endsWith(jar, classes);
  }

  @Test
  void aFileToStageThatIsNoJarIsNamed() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.txt"), "no archive");

    assertThatThrownBy(() -> yarn("--filesToStage=" + text))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--filesToStage names " + text + ", which is no jar");
    assertThatThrownBy(() -> yarn("--filesToStage=/no/such.jar"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("/no/such.jar, which is not there");
  }

  @Test
  void everyOptionOfTheClusterIsTaken() {
    Deployment.Yarn yarn =
        yarn(
            "--executorMemoryMb=2048",
            "--taskCores=2",
            "--executors=5",
            "--masterMemoryMb=700",
            "--queue=batch",
            "--clusterAnswerSeconds=5",
            "--shippingTimeoutMinutes=6",
            "--clusterStartTimeoutSeconds=7",
            "--clusterStopSeconds=8",
            "--lostHostsMinutes=9",
            "--roomPatienceSeconds=12",
            "--idleExecutorSeconds=10",
            "--unusedJarsDays=11",
            "--clusterSettings=tez.am.log.level=DEBUG,dfs.replication=1",
            "--detached",
            "--deadlineMinutes=90");

    assertThat(yarn.executors())
        .containsExactly(
            new ExecutorGroup(ResourcePriority.NONE, 2048, 2, Optional.of(5), List.of()));
    assertThat(yarn.masterMemoryMb()).isEqualTo(700);
    assertThat(yarn.queue()).contains("batch");
    assertThat(yarn.waits())
        .isEqualTo(
            new ClusterWaits(
                Duration.ofSeconds(5),
                Duration.ofMinutes(6),
                Duration.ofSeconds(7),
                Duration.ofSeconds(8),
                Duration.ofMinutes(9),
                Duration.ofSeconds(12),
                Duration.ofSeconds(10),
                Duration.ofDays(11)));
    assertThat(yarn.settings())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("tez.am.log.level", "DEBUG", "dfs.replication", "1"));
    assertThat(yarn.lifetime()).isEqualTo(new Deployment.Lifetime.Detached(Duration.ofMinutes(90)));
  }

  @Test
  void blocksAreFetchedAsTheOptionsSay() {
    assertThat(yarn().fetching()).isEqualTo(FetchSettings.DEFAULT);
    assertThat(
            yarn(
                    "--fetchConnectSeconds=1",
                    "--fetchReadSeconds=2",
                    "--fetchPatienceSeconds=3",
                    "--fetchPenaltySeconds=4",
                    "--fetchNodesAtOnce=5",
                    "--fetchBlocksAtOnce=6",
                    "--fetchAheadMb=7")
                .fetching())
        .isEqualTo(
            new FetchSettings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                5,
                6,
                7L << 20));
    assertThatThrownBy(() -> yarn("--fetchNodesAtOnce=0"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--fetchNodesAtOnce=0");
  }

  @Test
  void anApplicationOutlivesItsProgramAsLongAsItIsTold() {
    assertThat(yarn("--clientTimeoutSeconds=12").lifetime())
        .isEqualTo(new Deployment.Lifetime.Attached(Duration.ofSeconds(12)));
  }

  @Test
  void aWaitThatIsNoneIsNamed() {
    assertThatThrownBy(() -> yarn("--idleExecutorSeconds=0"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--idleExecutorSeconds=0");
    assertThatThrownBy(() -> yarn("--unusedJarsDays=1"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--unusedJarsDays=1");
  }

  @Test
  void theEnvironmentNamesTheClusterUnlessAnOptionDoes() throws IOException {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    Path third = Files.createDirectory(directory.resolve("third"));
    Map<String, String> both =
        Map.of("HADOOP_CONF_DIR", first + ":/hive", "YARN_CONF_DIR", second.toString());

    assertThat(configuration(both)).isEqualTo(first);
    assertThat(configuration(Map.of("YARN_CONF_DIR", second.toString()))).isEqualTo(second);
    assertThat(configuration(Map.of("HADOOP_CONF_DIR", "", "YARN_CONF_DIR", second.toString())))
        .isEqualTo(second);
    assertThat(configuration(both, "--hadoopConfDir=" + third)).isEqualTo(third);
  }

  @Test
  void theSlotsOfAClusterAreItsExecutors() throws IOException {
    assertThat(onYarn("--executors=7").engine().slots()).isEqualTo(7);
    assertThat(onYarn("--executors=7", "--slots=2").passContext().slots()).isEqualTo(7);
    assertThat(onYarn("--executorJson=" + executorFile()).engine().slots()).isEqualTo(7);
  }

  @Test
  void anExecutorFileGivesTheSlotsOfThisJvm() throws IOException {
    assertThat(settings(Map.of(), "--executorJson=" + executorFile(), "--slots=2").engine().slots())
        .isEqualTo(7);
  }

  @Test
  void theSmallestExecutorSaysHowMuchMemoryATaskHas() throws IOException {
    RunSettings settings = onYarn("--executorJson=" + executorFile());
    ContainerSizes smallest = ContainerSizes.of(1024, 1, 0, Optional.empty());

    assertThat(settings.engine().offHeapBytes()).isEqualTo(smallest.offHeapBytes());
    assertThat(settings.passContext().memoryPerTaskBytes())
        .isEqualTo(((long) smallest.heapMb() << 20) / 2);
  }

  @Test
  void memoryThatIsGivenToOneSideIsTakenFromTheOther() {
    RunSettings settings = onYarn("--offHeapMemoryMb=32", "--executorMemoryMb=1024");
    ContainerSizes sizes = ContainerSizes.of(1024, 1, 0, Optional.of(32L << 20));

    assertThat(settings.engine().offHeapBytes()).isEqualTo(32L << 20);
    assertThat(settings.passContext().memoryPerTaskBytes())
        .isEqualTo(((long) sizes.heapMb() << 20) / 2)
        .isGreaterThan(onYarn().passContext().memoryPerTaskBytes());
    assertThat(onYarn("--taskMemoryMb=20").passContext().memoryPerTaskBytes()).isEqualTo(20L << 20);
  }

  @Test
  void whatIsPushedGoesOverANetworkThere() {
    assertThat(onYarn().engine().transport().push()).isEqualTo(PushWires.NETTY);
    assertThat(onYarn("--pushTransport=tcp").engine().transport().push()).isEqualTo("tcp");
    assertThat(settings(Map.of()).engine().transport().push()).isEqualTo(PushWires.DIRECT);
    assertThatThrownBy(() -> onYarn("--pushTransport=direct"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--pushTransport=direct")
        .hasMessageContaining("netty, tcp, ucx or auto");
  }

  @Test
  void nativeMemoryOfTasksIsTakenFromHeapAndData() {
    long nativeBytes = 100L << 20;
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs(
                "--deployMode=yarn", "--hadoopConfDir=" + directory, "--executorMemoryMb=1024")
            .create();
    RunSettings without = RunSettings.of(options, Map.of());
    RunSettings with = without.withNativeMemory(options, nativeBytes);
    long spared = ContainerSizes.withSpareNative(1024, nativeBytes);
    ContainerSizes sizes = ContainerSizes.of(1024, 1, spared, Optional.empty());

    assertThat(with.engine().nativeBytes()).isEqualTo(spared).isGreaterThan(nativeBytes);
    assertThat(with.engine().offHeapBytes())
        .isEqualTo(sizes.offHeapBytes())
        .isLessThan(without.engine().offHeapBytes());
    assertThat(with.passContext().memoryPerTaskBytes())
        .isEqualTo(((long) sizes.heapMb() << 20) / 2)
        .isLessThan(without.passContext().memoryPerTaskBytes());
    assertThatThrownBy(() -> without.withNativeMemory(options, 1L << 30))
        .hasMessageContaining("1024 MB to native memory");
  }

  @Test
  void inThisJvmNothingIsSetAsideForNativeMemory() {
    RunSettings here = settings(Map.of());
    assertThat(here.withNativeMemory(PipelineOptionsFactory.create(), 1L << 40)).isEqualTo(here);
  }

  @Test
  void theSmallestContainerThatIsAllowedHasRoomForAJob() {
    assertThat(
            onYarn("--executorMemoryMb=" + ExecutorGroup.LEAST_MEMORY_MB).engine().offHeapBytes())
        .isGreaterThanOrEqualTo(JobEngineOptions.MIN_OFF_HEAP_BYTES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--deployMode=mesos|--deployMode=mesos|local or yarn",
        "--executorMemoryMb=511|--executorMemoryMb=511|at least 512",
        "--taskCores=0|--taskCores=0|at least 1",
        "--executors=0|--executors=0|at least 1",
        "--masterMemoryMb=1|--masterMemoryMb=1|at least 512",
        "--clusterStartTimeoutSeconds=0|--clusterStartTimeoutSeconds=0|at least 1",
        "--clusterSettings=dfs.replication|'dfs.replication'|name=value",
        "--detached|--detached|--deadlineMinutes=N",
        "--deadlineMinutes=5|--deadlineMinutes=5|Give --detached too",
        "--offHeapMemoryMb=15|--offHeapMemoryMb=15|at least 16",
        "--offHeapMemoryMb=900|--offHeapMemoryMb=900|half of what an executor of 1024 MB",
        "--hadoopConfDir=/no/such|--hadoopConfDir=/no/such|core-site.xml",
      })
  void aBadValueIsRefusedWithTheOptionItsValueAndTheRemedy(
      String argument, String names, String remedy) {
    assertThatThrownBy(() -> onYarn(argument))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining(names)
        .hasMessageContaining(remedy)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aJobOnAClusterNeedsACluster() {
    assertThatThrownBy(() -> settings(Map.of(), "--deployMode=yarn"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--hadoopConfDir=DIRECTORY")
        .hasMessageContaining("HADOOP_CONF_DIR");
    assertThatThrownBy(() -> settings(Map.of("YARN_CONF_DIR", "/no/such"), "--deployMode=yarn"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("YARN_CONF_DIR=/no/such is no directory");
  }

  @Test
  void aJobInThisJvmIsNotDetached() {
    assertThatThrownBy(() -> settings(Map.of(), "--detached", "--deadlineMinutes=1"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--deployMode=yarn");
  }

  @Test
  void aDirectoryThatIsGivenMustExistInEitherMode() {
    assertThatThrownBy(() -> settings(Map.of(), "--hadoopConfDir=/no/such"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--hadoopConfDir=/no/such is no directory");
  }

  @ParameterizedTest
  @CsvSource({"executorMemoryMb,2048", "taskCores,1", "executors,3"})
  void anExecutorFileExcludesWhatItSaysItself(String option, String value) throws IOException {
    String file = executorFile();

    assertThatThrownBy(() -> onYarn("--executorJson=" + file, "--" + option + "=" + value))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining(
            "--executorJson=" + file + " and --" + option + "=" + value + " exclude each other");
  }

  private String executorFile() throws IOException {
    return Files.writeString(directory.resolve("executors.json"), EXECUTORS).toString();
  }

  private Path configuration(Map<String, String> environment, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--deployMode=YARN");
    return ((Deployment.Yarn)
            settings(environment, all.toArray(new String[0])).engine().deployment())
        .configuration();
  }

  private Deployment.Yarn yarn(String... arguments) {
    return (Deployment.Yarn) onYarn(arguments).engine().deployment();
  }

  private RunSettings onYarn(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (all.stream().noneMatch(argument -> argument.startsWith("--deployMode"))) {
      all.add("--deployMode=yarn");
    }
    return settings(Map.of("HADOOP_CONF_DIR", directory.toString()), all.toArray(new String[0]));
  }

  private static RunSettings settings(Map<String, String> environment, String... arguments) {
    return RunSettings.of(PipelineOptionsFactory.fromArgs(arguments).create(), environment);
  }
}
