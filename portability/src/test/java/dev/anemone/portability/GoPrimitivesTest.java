// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Beam's own tests of the primitives in Go, but those that are not of a batch: {@code
 * docs/python.md} has the reasons.
 */
@Tag("slow")
class GoPrimitivesTest {

  private static final String PACKAGE =
      "github.com/apache/beam/sdks/v2/go/test/integration/primitives";

  private static final String LEFT_OUT =
      "^(TestTestStream.*|TestTrigger.*|TestPanes|TestCheckpointing|TestDrain|TestOomParDo"
          + "|TestTimers_EventTime_Unbounded|TestTimers_ProcessingTime_(Infinity|Unbounded))$";

  private static final Pattern PASSED = Pattern.compile("(?m)^--- PASS: ");
  private static final int TESTS = 28;

  @TempDir Path directory;

  @Test
  void beamsTestsOfBatchPrimitivesPass() throws Exception {
    GoPrograms go = GoPrograms.find(directory);
    Path program = directory.resolve("primitives");
    go.build(List.of("test", "-c", "-o", program.toString(), PACKAGE));

    String output;
    try (JobServer server =
        JobServer.start(new JobServerSettings(0, 0, 0, directory.resolve("artifacts")))) {
      output =
          go.submit(
              server.jobEndpoint(),
              List.of(program.toString(), "-test.v", "-test.skip=" + LEFT_OUT));
    }

    assertThat(PASSED.matcher(output).results().count()).as(output).isEqualTo(TESTS);
  }
}
