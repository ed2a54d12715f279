// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class EvaluationTest {
  private final StringWriter err = new StringWriter();

  @Test
  void asksForAnExperiment() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString())
        .contains("Which experiment?")
        .contains("wordcount", "disk-reads", "terasort", "skew-q10", "side-input");
  }

  /** Experiments are found as services; what they do is in the resource bundle. */
  @Test
  void saysOfEveryExperimentWhatItDoes() {
    assertThat(Evaluation.commandLine().getSubcommands())
        .hasSize(29)
        .allSatisfy(
            (name, command) ->
                assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty());
  }

  @Test
  void namesAPeerThatIsNotThere() {
    assertThat(run("wordcount", "--peers=spark,storm")).isEqualTo(2);
    assertThat(err.toString())
        .contains("'storm' is no peer. There are spark, flink, direct; and none.");
  }

  @Test
  void refusesAComparisonWithoutRuns() {
    assertThat(run("wordcount", "--runs=0")).isEqualTo(2);
    assertThat(err.toString()).contains("--runs=0: there must be at least one run.");
  }

  @Test
  void refusesAStartupWithoutLaterRuns() {
    assertThat(run("startup", "--runs=0")).isEqualTo(2);
    assertThat(err.toString()).contains("--runs=0: there must be at least one run.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "portable|--peers=prism,dataflow|--peers: 'dataflow' is no peer. There are prism, flink, spark; and none.",
        "fn-api|--elements=0|--elements=0: there must be an element.",
        "portable|--harnesses=0|--harnesses=0: there must be a harness.",
        "portable|--runs=0|--runs=0: there must be at least one run.",
        "disk-reads|--parallelism=50,0|--parallelism=0: a shuffle needs at least one task.",
        "disk-batching|--parallelism=0|--parallelism=0: a shuffle needs at least one task.",
        "disk-batching|--seek-micros=0|--seek-micros=0: a seek takes time.",
        "disk-batching|--riops=0|--riops=0: a disk must allow at least one read per second.",
        "disk-batching|--runs=0|--runs=0: there must be at least one run.",
        "shuffle-kernel|--memory=8m|--memory=8m: the kernels need at least 16 MB.",
        "shuffle-kernel|--partitions=0|--partitions=0: there must be a partition.",
        "skew-q10|--runs=0|--runs=0: there must be at least one run.",
        "skew-q10|--parallelism=0|--parallelism=0: a shuffle needs at least one task.",
        "skew-q10|--slots=0|--slots=0: at least one task must run at a time.",
        "skew-q10|--skew=1:20|--skew=1:20: a share of 1.0 is out of range",
        "skew-q10|--scale=-1|--scale=-1.0 is out of range.",
        "sampling-error|--rates=5,101|--rates=101.0: give percents above 0 and up to 100.",
        "sampling-error|--producers=0|--producers=0: give 1 or more.",
        "sampling-error|--skew=x|--skew=x: 'x' is not of the form SHARE:KEYS",
        "skew-overhead|--producers=0|--producers=0: there must be at least one task",
        "clock-cost|--producers=0|--producers=0: there must be at least one task",
        "skew-overhead|--runs=0|--runs=0: there must be at least one run.",
        "cluster-soak|--jobs=0|--jobs=0: there must be a job.",
        "cluster-soak|--side-by-side=0|--side-by-side=0: one job runs at least.",
        "cluster-soak|--nodes=1|--nodes=1: when a node is lost, there must be another one.",
        "cluster-tpch|--nodes=0|--nodes=0: there must be a node.",
        "cluster-tpch|--warm-up=-1|--warm-up=-1: it is a number of times.",
        "cluster-tpch|--executor-memory=1g|--executor-memory=1024m: give more than 1024m",
        "cluster-tpch|--spark-option=x=1|--spark-option=x=1: give spark.NAME=VALUE.",
        "cluster-terasort|--bytes=99|--bytes=99: a record alone has 100 bytes.",
        "cluster-terasort|--runs=0|--runs=0: there must be at least one run.",
        "pool-throughput|--sizes-kb=2048|--sizes-kb=2048: an operation has from 1 to 1024 KB.",
        "pool-throughput|--threads=0|--threads=0: give from 1 to 64.",
        "pool-lookups|--lookups=5|--lookups=5: a hundredth of fewer is none.",
        "pool-fuzz|--frames=0|--frames=0: there must be a frame.",
        "pool-kills|--servers=1|--servers=1: names have a replica on another server.",
        "shuffle-allocation|--records=1|--records=1: there must be at least 4.",
        "ndp-simulator|--variation=1|--variation=1.0: give 0 or more, below 1.",
        "ndp-simulator|--bandwidths=1,0|--bandwidths=0.0: give more than 0.",
        "papers|--figure=lee-9|--figure=lee-9: there are sparkndp-5, sparkndp-6",
        "ndp|--runs=0|--runs=0: there must be at least one run.",
        "ndp|--bandwidths=100,0|--bandwidths=0.0: give more than 0.",
        "ndp|--concurrent=6|--concurrent=6: there are 1 to 5 queries.",
        "ndp|--queries=23|--queries=23",
        "ndp-scan|--runs=0|--runs=0: there must be at least one run.",
        "warm-query|--rows=6|--rows=6: there are seven shops.",
        "scale|--tasks=1|--tasks=1: give from 2 to 10,000,000.",
        "scale|--executors=0|--executors=0: give from 1 to 1,000,000.",
        "scale|--shuffles=0|--shuffles=0: give from 1 to 100.",
        "scale|--policies=Defalt|There is no policy \"Defalt\".",
        "ndp-fuzz|--requests=0|--requests=0: there must be a request.",
        "terasort|--bytes=99|--bytes=99: a record alone has 100 bytes.",
        "terasort|--off-heap=512|'512' is not a size of memory."
      })
  void refusesWhatCannotBeMeasured(String experiment, String option, String message) {
    assertThat(run(experiment, option)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void saysInOneParagraphHowItWantsToBeStarted() {
    assertThat(run("startup", "--runs=1")).isEqualTo(1);
    assertThat(err.toString().lines().toList())
        .singleElement()
        .asString()
        .startsWith("evaluation/run: The system property anemone.evaluation is not set");
  }

  private int run(String... arguments) {
    CommandLine commandLine = Evaluation.commandLine();
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
