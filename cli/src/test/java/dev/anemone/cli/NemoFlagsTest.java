// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;

class NemoFlagsTest {

  @Test
  void aCommandLineOfNemoIsSaidInOurWords() {
    assertThat(
            NemoFlags.translated(
                List.of(
                    "-job_id", "als",
                    "-deploy_mode", "yarn",
                    "-executor_json", "/tmp/executors.json",
                    "-user_main", "com.example.Program",
                    "-optimization_policy",
                        "org.apache.nemo.compiler.optimizer.policy.DefaultPolicy",
                    "-max_task_attempt", "3",
                    "-dag_dir", "./dag",
                    "-user_args", "in.txt  out.txt")))
        .containsExactly(
            "com.example.Program",
            "in.txt",
            "out.txt",
            "--jobName=als",
            "--deployMode=yarn",
            "--executorJson=/tmp/executors.json",
            "--optimizationPolicy=org.apache.nemo.compiler.optimizer.policy.DefaultPolicy",
            "--maxTaskAttempts=3",
            "--dagDirectory=./dag");
  }

  @Test
  void theOptionsAreThoseOfTheRunner() {
    List<String> translated =
        NemoFlags.translated(
            List.of(
                "-user_main",
                "P",
                "-deploy_mode",
                "yarn",
                "-executor_json",
                "e",
                "-dag_dir",
                "d",
                "-max_task_attempt",
                "2",
                "-driver_mem_mb",
                "600",
                "-memory_pool_size_mb",
                "64",
                "-optimization_policy",
                "LargeShuffle",
                "-job_id",
                "j"));

    NemoPipelineOptions options =
        PipelineOptionsFactory.fromArgs(
                translated.subList(1, translated.size()).toArray(String[]::new))
            .as(NemoPipelineOptions.class);
    assertThat(options.getDeployMode()).isEqualTo("yarn");
    assertThat(options.getExecutorJson()).isEqualTo("e");
    assertThat(options.getDagDirectory()).isEqualTo("d");
    assertThat(options.getMaxTaskAttempts()).isEqualTo(2);
    assertThat(options.getMasterMemoryMb()).isEqualTo(600);
    assertThat(options.getOffHeapMemoryMb()).isEqualTo(64);
    assertThat(options.getOptimizationPolicy()).isEqualTo("LargeShuffle");
    assertThat(options.getJobName()).isEqualTo("j");
  }

  @Test
  void ourOwnOptionsCanBeAmongThem() {
    assertThat(
            NemoFlags.translated(
                List.of("-user_main", "P", "--summary=true", "-user_args", "--input=a", "--x=y")))
        .containsExactly("P", "--input=a", "--summary=true", "--x=y");
  }

  @Test
  void ourOwnCommandLineStaysAsItIs() {
    List<String> own = List.of("com.example.Program", "-user_main", "--input=a");

    assertThat(NemoFlags.translated(own)).isEqualTo(own);
    assertThat(NemoFlags.translated(List.of())).isEmpty();
    assertThat(NemoFlags.translated(List.of("--x=y", "-job_id")))
        .containsExactly("--x=y", "-job_id");
  }

  @Test
  void whatIsWrongIsNamed() {
    refused("The flag -job_id has no value", "-user_main", "P", "-job_id");
    refused("The flag -job_id is given twice", "-job_id", "a", "-job_id", "b");
    refused("The main class is missing", "-job_id", "a", "-user_args", "b");
    refused("There is no flag -bandwidth_json", "-user_main", "P", "-bandwidth_json", "f");
    refused("There is no flag before the value out", "-user_main", "P", "-user_args", "in", "out");
  }

  private static void refused(String message, String... arguments) {
    assertThatThrownBy(() -> NemoFlags.translated(List.of(arguments)))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }
}
