// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.OwnProgram;
import dev.anemone.evaluation.lab.disk.ReadThrottle.BlockDevice;
import dev.anemone.evaluation.lab.process.GroupController;
import dev.anemone.evaluation.lab.process.GroupController.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadThrottleTest {
  private static final int READS_PER_SECOND = 200;

  @Test
  void aProcessUnderTheThrottleReadsNoMoreThanItMay() throws Exception {
    Path directory = ThrottledDisk.directory();
    RandomReadRate rate = new RandomReadRate(directory, OwnProgram.classPath(), 2);
    double free = rate.measure(UnaryOperator.identity());

    double throttled;
    try (ReadThrottle throttle = ReadThrottle.start(BlockDevice.of(directory), READS_PER_SECOND)) {
      throttled = rate.measure(throttle::command);
    }

    assertThat(throttled).isBetween(1.0, 1.25 * READS_PER_SECOND);
    assertThat(free).as("reads without the throttle").isGreaterThan(2.0 * READS_PER_SECOND);
    assertThat(groups()).isEmpty();
  }

  @Test
  void theGroupGoesAlsoWhenTheExperimentFails() throws Exception {
    Path directory = ThrottledDisk.directory();

    assertThatThrownBy(
            () -> {
              try (ReadThrottle throttle =
                  ReadThrottle.start(BlockDevice.of(directory), READS_PER_SECOND)) {
                assertThat(groups()).hasSize(1);
                throw new ExperimentFailure(throttle.command(List.of("none")).get(0));
              }
            })
        .isInstanceOf(ExperimentFailure.class);
    assertThat(groups()).isEmpty();
  }

  /** Those of this process. */
  private static List<Path> groups() throws IOException {
    String name = "anemone-evaluation-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> groups = Files.list(ReadThrottle.controller().root())) {
      return groups.filter(group -> group.getFileName().toString().startsWith(name)).toList();
    }
  }

  @Test
  void withoutTheRightToMakeAGroupItSaysWhatIsNeeded(@TempDir Path directory) throws IOException {
    Path notADirectory = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(
            () ->
                ReadThrottle.start(
                    new GroupController(Version.V1, "blkio", notADirectory),
                    new BlockDevice("8:0"),
                    100))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("8:0")
        .hasMessageContaining("Measure as root");
  }
}
