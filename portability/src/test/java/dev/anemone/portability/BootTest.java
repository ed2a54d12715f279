// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.testing.PythonWithBeam;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of what processes do before they are harnesses, which are in Python. */
@Tag("slow")
class BootTest {

  @TempDir Path directory;

  @Test
  void filesAreFetchedAndEnvironmentsMadeOnce() throws Exception {
    PythonWithBeam python = PythonWithBeam.find();
    String tests = Path.of("..", "python", "tests", "boot_test.py").toString();

    PythonWithBeam.Output output =
        python.run(directory, List.of("-m", "pytest", "-q", "-p", "no:cacheprovider", tests));

    assertThat(output.text()).contains("9 passed");
    assertThat(output.exitCode()).isZero();
  }
}
