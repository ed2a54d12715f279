// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.testing.PythonWithBeam;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines whose data at one place is larger than the heap of the server that runs them. */
@Tag("slow")
class BoundedMemoryTest {

  private static final int HEAP_MEBIBYTES = 256;
  private static final int DATA_MEBIBYTES = 400;

  @TempDir Path directory;

  @Test
  void stateOfAKeyThatDoesNotFitTheHeapLiesOnDisk() throws Exception {
    assertRuns("hoard");
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"flood", "lookup"})
  void whatElseDoesNotFitTheHeapLiesOnDisk(String pipeline) throws Exception {
    assertRuns(pipeline);
  }

  private void assertRuns(String pipeline) throws Exception {
    PythonWithBeam python = PythonWithBeam.find();

    try (ServerProcess server = ServerProcess.jobServer(HEAP_MEBIBYTES, directory)) {
      PythonWithBeam.Output output =
          python.run(
              directory,
              List.of(
                  Path.of("src/test/python/pipelines.py").toString(),
                  pipeline,
                  "--runner=PortableRunner",
                  "--job_endpoint=" + server.endpoint(),
                  "--environment_type=LOOPBACK",
                  "--mebibytes=" + DATA_MEBIBYTES));

      assertThat(output.text()).contains("state DONE");
      assertThat(output.exitCode()).isZero();
    }
  }
}
