// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.testing.PythonWithBeam;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Beam's own tests of portable runners, by Python's pytest: some of them, or all with {@code
 * -Danemone.python.suites=all}, which is what {@code -Ppython} sets.
 */
@Tag("slow")
class PythonSuitesTest {

  private static final Path SUITES = Path.of("..", "python", "tests").toAbsolutePath().normalize();
  private static final Duration AT_MOST = Duration.ofMinutes(9);
  private static final int HEAP_MEBIBYTES = 1024;

  /** One for each kind of what a runner does. */
  private static final String SOME =
      "test_flatten_and_gbk or test_flattened_side_input or test_windowed_combine_per_key"
          + " or test_pardo_windowed_side_inputs or test_pardo_state_timers"
          + " or test_sdf_with_sdf_initiated_checkpointing or test_reshuffle or test_metrics";

  @TempDir Path directory;

  /** The policies under which all tests run; those of the last two are both in one for some. */
  static List<String> policies() {
    return isAll()
        ? List.of("Default", "LargeShuffle", "DataSkew")
        : List.of("SamplingLargeShuffleSkew");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void beamsTestsOfPortableRunnersPass(String policy) throws Exception {
    List<String> options = isAll() ? List.of() : List.of("-k", SOME);

    run("nemo_runner_suite.py", policy, options);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void beamsTestsOfTransformsOfOthersPass(String policy) throws Exception {
    run("xlang_suite.py", policy, List.of());
  }

  private static boolean isAll() {
    return System.getProperty("anemone.python.suites", "some").equals("all");
  }

  private void run(String suite, String policy, List<String> options) throws Exception {
    PythonWithBeam python = PythonWithBeam.find();
    List<String> arguments =
        new ArrayList<>(List.of("-m", "pytest", "--timeout=90", "-q", "-p", "no:cacheprovider"));
    arguments.add(SUITES.resolve(suite).toString());
    arguments.addAll(options);
    List<String> server = new ArrayList<>(ServerProcess.launcher(HEAP_MEBIBYTES));
    server.add("job-server");

    PythonWithBeam.Output output =
        python.run(
            directory,
            arguments,
            Map.of(
                "ANEMONE_JOB_SERVER",
                String.join(" ", server),
                "ANEMONE_POLICY",
                policy,
                "PYTHONDONTWRITEBYTECODE",
                "1"),
            AT_MOST);

    System.out.println(suite + " under " + policy + ": " + output.lastLine());
    assertThat(output.exitCode()).as(output.text()).isZero();
  }
}
