// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BeamArgumentsTest {
  private static final String LAUNCHED = "--runner=" + LaunchedRunner.class.getName();

  @Test
  void aRunnerIsAddedOnlyWhereNoneIsNamed() {
    assertThat(BeamArguments.withRunner(List.of("--input=a")))
        .containsExactly("--input=a", "--runner=NemoRunner");
    assertThat(BeamArguments.withRunner(List.of("--runner=SparkRunner", "--input=a")))
        .containsExactly("--runner=SparkRunner", "--input=a");
  }

  @Test
  void aUsersProgramRunsOnTheRunnerThatIsWaitedFor() {
    assertThat(BeamArguments.forProgram(List.of("--input=a")))
        .containsExactly("--input=a", LAUNCHED);
    assertThat(BeamArguments.forProgram(List.of("--runner=NemoRunner", "--input=a")))
        .containsExactly("--input=a", LAUNCHED);
    assertThat(BeamArguments.forProgram(List.of("--runner=SparkRunner")))
        .containsExactly("--runner=SparkRunner");
  }

  @Test
  void theClassPathIsNoArgumentOfTheProgram() {
    assertThat(BeamArguments.withRunner(List.of("--classpath=a.jar", "--runner=R", "--input=a")))
        .containsExactly("--runner=R", "--input=a");
    assertThat(BeamArguments.forProgram(List.of("--classpath=a.jar", "--runner=R", "word")))
        .containsExactly("--runner=R", "word");
  }
}
