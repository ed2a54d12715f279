// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.ExplainFormat;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.runtime.stage.TaskWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunSettingsTest {

  @TempDir Path directory;

  @Test
  void withoutOptionsEverythingHasADefault() {
    RunSettings settings = settings();

    assertThat(settings.policy()).isEqualTo("Default");
    assertThat(settings.passes()).isEmpty();
    assertThat(settings.engine().slots()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(settings.engine().maxTaskAttempts()).isEqualTo(4);
    assertThat(settings.engine().jobAttempts()).isEqualTo(3);
    assertThat(settings.engine().waits()).isEqualTo(TaskWaits.DEFAULT);
    assertThat(settings.engine().tempDirectory())
        .isEqualTo(Path.of(System.getProperty("java.io.tmpdir")));
    assertThat(settings.passContext().options()).isEmpty();
    assertThat(settings.explain()).isEqualTo(ExplainFormat.NONE);
    assertThat(settings.dagDirectory()).isEmpty();
    assertThat(settings.summary()).isFalse();
  }

  @Test
  void whoWaitsHowLongCanBeSaid() {
    RunSettings settings =
        settings(
            "--pushConnectMs=1",
            "--pushReplyMs=2",
            "--pushMemoryMs=3",
            "--pushCloseMs=4",
            "--commitMs=5",
            "--jobAttempts=6");

    assertThat(settings.engine().waits()).isEqualTo(new TaskWaits(1, 2, 3, 4, 5));
    assertThat(settings.engine().jobAttempts()).isEqualTo(6);
    assertThatThrownBy(() -> settings("--commitMs=0"))
        .hasMessageContaining("--commitMs=0")
        .hasMessageContaining("at least 1");
    assertThatThrownBy(() -> settings("--jobAttempts=0")).hasMessageContaining("--jobAttempts=0");
  }

  @Test
  void aSummaryIsPrintedWhenItIsAskedFor() {
    assertThat(settings("--summary").summary()).isTrue();
  }

  @Test
  void passOptionsOfTheirOwnAndFromTheListAreGivenToPasses() {
    RunSettings settings =
        settings(
            "--parallelism=8",
            "--maxParallelism=16",
            "--compression=lz4",
            "--speculation=true",
            "--passOptions=tasksPerSlot=3,minBytesPerTask=1MB");

    assertThat(settings.passContext().options())
        .containsEntry("parallelism", "8")
        .containsEntry("maxParallelism", "16")
        .containsEntry("compression", "lz4")
        .containsEntry("speculation", "true")
        .containsEntry("tasksPerSlot", "3")
        .containsEntry("minBytesPerTask", "1MB")
        .hasSize(6);
  }

  @Test
  void taskMemoryIsHalfTheHeapForAllSlots() {
    RunSettings settings = settings("--slots=2");

    assertThat(settings.passContext().memoryPerTaskBytes())
        .isEqualTo(Runtime.getRuntime().maxMemory() / 4);
    assertThat(settings("--taskMemoryMb=100").passContext().memoryPerTaskBytes())
        .isEqualTo(100L << 20);
  }

  @Test
  void explainOnlyExplainsAsTextWhereNoFormatIsGiven() {
    assertThat(settings("--explainOnly=true").explain()).isEqualTo(ExplainFormat.TREE);
    assertThat(settings("--explainOnly=true", "--explain=dot").explain())
        .isEqualTo(ExplainFormat.DOT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--combineAlonePercent=101|--combineAlonePercent=101|from 0 to 100",
        "--slots=0|--slots=0|at least 1",
        "--maxTaskAttempts=0|--maxTaskAttempts=0|at least 1",
        "--taskMemoryMb=-1|--taskMemoryMb=-1|at least 0",
        "--explain=xml|--explain=xml|none, tree, text, json, dot or svg",
        "--progress=maybe|--progress=maybe|auto or off",
        "--passOptions=compression|'compression'|name=value",
        "--passOptions==x|'=x'|name=value",
      })
  void aBadValueIsRefusedWithTheOptionItsValueAndTheRemedy(
      String argument, String names, String remedy) {
    assertThatThrownBy(() -> settings(argument))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining(names)
        .hasMessageContaining(remedy)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aPolicyAndPassesExcludeEachOther() {
    assertThatThrownBy(() -> settings("--optimizationPolicy=BasicPush", "--passes=DataFlow"))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--passes=DataFlow")
        .hasMessageContaining("--optimizationPolicy=BasicPush");
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> settings("--tempDirectory=" + file))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--tempDirectory=" + file)
        .hasMessageContaining("is a file");
    assertThatThrownBy(() -> settings("--dagDirectory=" + file))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--dagDirectory=" + file);
  }

  private static RunSettings settings(String... arguments) {
    return RunSettings.of(PipelineOptionsFactory.fromArgs(arguments).create());
  }
}
