// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

@Tag("slow")
class HangWatchTest {

  @TempDir Path directory;

  private String defaultTimeout;

  @RegisterExtension
  @SuppressWarnings("UnusedVariable") // JUnit calls it
  private final BeforeEachCallback settings =
      (ExtensionContext context) ->
          defaultTimeout =
              context
                  .getConfigurationParameter("junit.jupiter.execution.timeout.default")
                  .orElse("none");

  /** Runs the tests of a class in a JVM that is started for it. */
  static final class Run {
    private Run() {}

    public static void main(String[] args) throws ClassNotFoundException {
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(Class.forName(args[0])))
                  .configurationParameter(HangWatch.SHOWN_AFTER, "PT1S")
                  .configurationParameter(HangWatch.ENDED_AFTER, "PT2S")
                  .build());
    }
  }

  /** A test of JUnit 4 that hangs. */
  public static class OfVintage {
    @org.junit.Test
    public void hangsInVintage() throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  /** A test of JUnit 5 that hangs. */
  static class OfJupiter {
    @Test
    void hangsInJupiter() throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  /** A class of JUnit 5 whose preparation hangs. */
  static class BeforeTests {
    @BeforeAll
    static void hangsBeforeAll() throws InterruptedException {
      new CountDownLatch(1).await();
    }

    @Test
    void isNeverReached() {}
  }

  /** Tests of JUnit 5 that do not hang, and take longer together than one may. */
  static class Slow {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void takesHalfASecond(int number) throws InterruptedException {
      assertThat(new CountDownLatch(number).await(500, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {OfVintage.class, OfJupiter.class, BeforeTests.class})
  void aJvmThatHangsShowsItsThreadsAndEnds(Class<?> tests) throws Exception {
    Path output = directory.resolve("output");
    assertThat(run(tests, output)).as(Files.readString(output)).isEqualTo(HangWatch.HUNG);
    assertThat(Files.readString(output))
        .contains("HANGS: nothing has happened for 1 s after started: ")
        .contains("\"main\" WAITING")
        .containsPattern("at .*HangWatchTest\\$" + tests.getSimpleName() + "\\.hangs")
        .contains("HUNG: this JVM ends");
  }

  @Test
  void aJvmThatIsOnlySlowIsLeftAlone() throws Exception {
    Path output = directory.resolve("output");
    assertThat(run(Slow.class, output)).as(Files.readString(output)).isZero();
    assertThat(Files.readString(output)).doesNotContain("HANGS");
  }

  private static int run(Class<?> tests, Path output) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Run.class.getName(),
                    tests.getName()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the JVM ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void theBuildGivesEveryTestOfJupiterATimeout() {
    assertThat(defaultTimeout).isEqualTo("10 m");
  }
}
