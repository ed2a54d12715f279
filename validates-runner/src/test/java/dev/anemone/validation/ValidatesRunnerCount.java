// SPDX-License-Identifier: Apache-2.0
package dev.anemone.validation;

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
 * Counts what the reports of Beam's ValidatesRunner suite say, after the suite has run. Its own
 * surefire execution runs it: the name keeps it out of the unit tests.
 */
class ValidatesRunnerCount {

  @TestFactory
  Stream<DynamicTest> theWholeSuiteRanUnderEachPolicyAndNoTestFailed() {
    Path reports = Path.of(System.getProperty("validates-runner.reports"));
    return Pattern.compile(",")
        .splitAsStream(System.getProperty("validates-runner.policies"))
        .map(policy -> dynamicTest(policy, () -> count(policy, reports.resolve(policy))));
  }

  private static void count(String policy, Path directory) throws IOException {
    int expected = Integer.parseInt(System.getProperty("validates-runner.tests"));
    SuiteReports reports = SuiteReports.read(directory);
    System.out.printf("ValidatesRunner, policy %s: %s%n", policy, reports.summary());
    assertThat(reports.failed()).as("failed tests of Beam's ValidatesRunner suite").isEmpty();
    assertThat(reports.run())
        .as("tests of Beam's ValidatesRunner suite that ran, see validates-runner.tests in the pom")
        .isGreaterThanOrEqualTo(expected);
  }
}
