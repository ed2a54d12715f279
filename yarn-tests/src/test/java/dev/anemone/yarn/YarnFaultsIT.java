// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.FailedPipelineException;
import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.cluster.NodeAddress;
import dev.anemone.testing.SilentServer;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs whose containers, nodes, masters and user code fail give the answer that they give without
 * failures, or the user's own error. In all of them the words are aggregated: stage0 reads and
 * splits the text, stage1 aggregates, stage2 counts and writes.
 */
class YarnFaultsIT {
  private static final String POLICY = "LargeShuffle";
  private static final String COUNTING = "^stage2$";

  /** Tez names it after its job, its vertex, its task and its attempt. */
  private static final Pattern AGGREGATION_BLOCK = Pattern.compile("attempt_\\d+_\\d+_\\d+_01_");

  private static final int PRODUCERS = 100;
  private static final Pattern READERS = Pattern.compile("attempt_\\d+_\\d+_\\d+_00_");

  // Other tests may run beside these.
  private static final Duration STRIKE_LIMIT = Duration.ofMinutes(4);
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(5);

  private static TestCluster cluster;
  private PipelineResult current;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    cluster.faults().disarm();
    if (current != null && !current.getState().isTerminal()) {
      cluster.keepEvidence(Long.toString(System.currentTimeMillis()));
      current.cancel();
    }
    cluster.startNodes();
  }

  @ParameterizedTest
  @CsvSource({"PUSHED, ^stage0$", "GATHERED, ^stage1$", "count, ''", "COMMITTING, ^stage2$"})
  void aContainerIsKilled(String point, String stages) throws Exception {
    assertSurvivesKill(point, stages);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"split, ''", "WRITTEN, ^stage0$", "COMMITTING, ^stage0$", "COMMITTING, ^stage1$"})
  void aContainerIsKilledAtAnotherPoint(String point, String stages) throws Exception {
    assertSurvivesKill(point, stages);
  }

  private void assertSurvivesKill(String point, String stages) throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.KILL, point).inStages(stages));

    assertAnswer("killed", run("killed"));

    assertThat(cluster.faults().strikes()).hasSize(1);
  }

  @Test
  @Tag("nightly")
  void aNodeWithBlocksIsLostBeforeTheyAreRead() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(COUNTING).times(Integer.MAX_VALUE));
    NewBlocks blocks = NewBlocks.since(cluster, AGGREGATION_BLOCK);
    PipelineResult running = run(impatient(cluster.options("lost-node", POLICY)));
    cluster.faults().awaitStrike();

    cluster.cluster().stopNode(blocks.nodeWithLast());
    cluster.faults().release();

    assertAnswer("lost-node", running);
  }

  /** YARN notices after a while that the node is lost, and nobody else does so within the limit. */
  @Test
  void blocksOfALostNodeAreMadeAgainBeforeTheirReadersHaveGivenItUp() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage1$").times(Integer.MAX_VALUE));
    NemoPipelineOptions options = cluster.options("patient", "Default");
    options.setFetchPatienceSeconds((int) (2 * JOB_LIMIT.getStandardSeconds()));
    NewBlocks blocks = NewBlocks.since(cluster, READERS);
    PipelineResult running = run(options);
    cluster.faults().awaitStrike();

    cluster.cluster().stopNode(blocks.nodeWithLast());
    cluster.faults().release();

    assertAnswer("patient", running);
  }

  /** Nobody is refused there: every connection takes as long as the reader waits for it. */
  @Test
  @Tag("nightly")
  void aNodeWithTheBlocksOfManyProducersIsPoweredOff() throws Exception {
    List<String> counts = cluster.writeText("many", PRODUCERS);
    NewBlocks blocks = NewBlocks.since(cluster, READERS);
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage1$").times(Integer.MAX_VALUE));
    current =
        FaultyWordCount.pipeline(
                cluster.options("powered-off", "Default"),
                cluster.path("/many/text-*"),
                cluster.output("powered-off"))
            .run();
    cluster.faults().awaitStrike();
    int node = blocks.nodeWithMoreThan(10);
    NodeAddress address = cluster.cluster().addresses().get(node).orElseThrow();

    cluster.cluster().stopNode(node);
    try (SilentServer off =
        new SilentServer(InetAddress.getByName(address.host()), address.shufflePort())) {
      cluster.faults().release();

      assertThat(current.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
      assertThat(cluster.takeResult("powered-off")).isEqualTo(counts);
    }
  }

  /** The second master knows from the recovery's log alone where the blocks are. */
  @Test
  @Tag("nightly")
  void aNodeWithBlocksIsLostAndTheMasterToo() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(COUNTING).times(Integer.MAX_VALUE));
    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs(
                cluster
                    .arguments("lost-both", "Default", "tez.dag.recovery.max.unflushed.events=0")
                    .toArray(String[]::new))
            .as(NemoPipelineOptions.class);
    NewBlocks blocks = NewBlocks.since(cluster, AGGREGATION_BLOCK);
    PipelineResult running = run(impatient(options));
    cluster.faults().awaitStrike();
    int node = blocks.nodeWithLast();

    cluster.master().orElseThrow().destroyForcibly();
    cluster.cluster().stopNode(node);
    cluster.faults().release();

    assertAnswer("lost-both", running);
  }

  @Test
  void theMasterIsKilled() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(COUNTING));
    PipelineResult running = run("killed-master");
    cluster.faults().awaitStrike();

    cluster.master().orElseThrow().destroyForcibly();
    cluster.faults().release();

    assertAnswer("killed-master", running);
  }

  /** What was measured before comes from the recovery's log, and the last task has not ended. */
  @Test
  @Tag("nightly")
  void theMasterIsKilledWhileItIsMeasuredWhatAStageWillRead() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage0$"));
    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs(
                cluster
                    .arguments(
                        "killed-while-measured",
                        "Default",
                        "tez.dag.recovery.max.unflushed.events=0")
                    .stream()
                    .filter(argument -> !argument.startsWith("--parallelism"))
                    .toArray(String[]::new))
            .as(NemoPipelineOptions.class);
    NewBlocks blocks = NewBlocks.since(cluster, READERS);
    PipelineResult running = run(options);
    cluster.faults().awaitStrike();
    Waiting.until(
        () -> blocks.count() >= TestCluster.FILES - 1,
        STRIKE_LIMIT,
        () -> "only some of the tasks have written their blocks");

    cluster.master().orElseThrow().destroyForcibly();
    cluster.faults().release();

    assertAnswer("killed-while-measured", running);
    assertThat(((NemoPipelineResult) running).summary())
        .contains(TestCluster.NODES + " tasks of")
        .contains("become 1: they read");
  }

  @Test
  @Tag("nightly")
  void aSlowTaskIsOvertaken() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, FaultyWordCount.COUNT));
    NemoPipelineOptions options = cluster.options("slow", POLICY);
    options.setSpeculation(true);

    assertAnswer("slow", run(options));

    assertThat(cluster.faults().strikes()).hasSize(1);
  }

  @Test
  @Tag("nightly")
  void userCodeThatFailsTwiceIsTriedAThirdTime() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.FAIL, FaultyWordCount.COUNT).times(2));

    assertAnswer("failed-twice", run("failed-twice"));

    assertThat(cluster.faults().strikes()).hasSize(2);
  }

  @Test
  void userCodeThatAlwaysFailsIsTheCauseOfTheJobsFailure() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.FAIL, FaultyWordCount.SPLIT).times(Integer.MAX_VALUE));
    NemoPipelineOptions options = cluster.options("failed", POLICY);
    options.setMaxTaskAttempts(1);
    PipelineResult result = run(options);

    assertThatThrownBy(() -> result.waitUntilFinish(JOB_LIMIT))
        .isInstanceOf(FailedPipelineException.class)
        .hasMessageContaining("injected at split")
        .hasMessageContaining("'yarn logs -applicationId application_")
        .hasCauseInstanceOf(FaultDirectory.InjectedFailure.class);
    assertThat(result.getState()).isEqualTo(PipelineResult.State.FAILED);
  }

  /** How long a task waits for a node by default is seen where the node is powered off. */
  private static NemoPipelineOptions impatient(NemoPipelineOptions options) {
    options.setFetchPatienceSeconds(2);
    options.setFetchPenaltySeconds(2);
    return options;
  }

  private PipelineResult run(String job) {
    return run(cluster.options(job, POLICY));
  }

  private PipelineResult run(NemoPipelineOptions options) {
    current =
        FaultyWordCount.pipeline(options, cluster.input(), cluster.output(options.getJobName()))
            .run();
    return current;
  }

  private static void assertAnswer(String job, PipelineResult result) throws IOException {
    assertThat(result.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult(job)).isEqualTo(cluster.trueCounts());
  }
}
