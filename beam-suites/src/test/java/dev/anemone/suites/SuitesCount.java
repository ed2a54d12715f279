// SPDX-License-Identifier: Apache-2.0
package dev.anemone.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.anemone.testing.SuiteReports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Counts what the reports of Beam's suites say, after they have run. Its own surefire execution
 * runs it: the name keeps it out of the unit tests.
 */
class SuitesCount {

  @TestFactory
  Stream<DynamicTest> eachSuiteRanAndNoTestFailed() {
    Path reports = Path.of(System.getProperty("suites.reports"));
    return Pattern.compile("[,\\s]+")
        .splitAsStream(System.getProperty("suites").strip())
        .map(suite -> suite.split("=", 2))
        .map(
            suite ->
                dynamicTest(
                    suite[0],
                    () -> count(suite[0], reports.resolve(suite[0]), Integer.parseInt(suite[1]))));
  }

  private static void count(String suite, Path directory, int expected) throws IOException {
    SuiteReports reports = SuiteReports.read(directory);
    System.out.printf("Beam's suite %s: %s%n", suite, reports.summary());
    assertThat(reports.failed()).as("failed tests of Beam's suite %s", suite).isEmpty();
    assertThat(reports.run())
        .as("tests of Beam's suite %s that ran, see 'suites' in the pom", suite)
        .isGreaterThanOrEqualTo(expected);
  }
}
