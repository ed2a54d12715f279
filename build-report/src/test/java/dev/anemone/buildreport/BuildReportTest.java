// SPDX-License-Identifier: Apache-2.0
package dev.anemone.buildreport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildReportTest {

  private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir Path root;

  @BeforeEach
  void modules() throws IOException {
    Files.writeString(
        root.resolve("pom.xml"),
        "<project><modules><module>one</module><module>two</module></modules></project>");
  }

  private void report(String file, Instant written, String name, String time, String... cases)
      throws IOException {
    Path report = root.resolve(file);
    Files.createDirectories(report.getParent());
    Files.writeString(
        report,
        "<testsuite name='%s' time='%s'>%s</testsuite>"
            .formatted(name, time, String.join("", cases)));
    Files.setLastModifiedTime(report, FileTime.from(written));
  }

  private String text() throws IOException {
    return new BuildReport(TestReports.of(root, BEGIN)).text();
  }

  @Test
  void whatWasSkippedIsSaidWithItsReason() throws IOException {
    report(
        "one/target/surefire-reports/TEST-a.QuickTest.xml",
        BEGIN,
        "a.QuickTest",
        "0.5",
        "<testcase name='runs'/>",
        "<testcase name='mounts'><skipped message='Assumption failed: root is missing: why&#10;2'/>"
            + "</testcase>",
        "<testcase name='mountsToo'><skipped><![CDATA[org.opentest4j.TestAbortedException: root is"
            + " missing: why\n at line 1]]></skipped></testcase>");
    report(
        "one/target/validates-runner-reports/Default/TEST-b.SlowIT.xml",
        BEGIN.plus(Duration.ofMinutes(3)),
        "b.SlowIT",
        "1,230.0",
        "<testcase name='runs'/>");

    assertThat(text())
        .contains("Tests of this build: 4, 2 of them skipped, in 20.5 min")
        .containsPattern("one +4 tests +2 skipped +20.5 min")
        .contains("no tests ran in: two")
        .containsSubsequence("slowest", "20.5 min  b.SlowIT", "0.5 s  a.QuickTest")
        .containsSubsequence(
            "Skipped:", "root is missing: why\n", "QuickTest.mounts, QuickTest.mountsToo");
  }

  @Test
  void aClassOfWhichNoTestRanIsNotForgotten() throws IOException {
    report("two/target/surefire-reports/TEST-a.GoneTest.xml", BEGIN, "a.GoneTest", "0.1");

    assertThat(text()).containsSubsequence("Skipped:", "all of the class", "GoneTest");
  }

  @Test
  void aClassWhoseTestsAreInNestedOnesIsNotMissed() throws IOException {
    report("two/target/surefire-reports/TEST-a.OuterTest.xml", BEGIN, "a.OuterTest", "0.1");
    report(
        "two/target/surefire-reports/TEST-a.OuterTest$Inner.xml",
        BEGIN,
        "a.OuterTest$Inner",
        "0.1",
        "<testcase name='runs'/>");

    assertThat(text()).contains("No test was skipped.");
  }

  @Test
  void reportsOfOtherBuildsDoNotCount() throws IOException {
    report(
        "two/target/failsafe-reports/TEST-a.OldIT.xml",
        BEGIN.minusSeconds(1),
        "a.OldIT",
        "9",
        "<testcase name='runs'/>");

    assertThat(text())
        .contains("Tests of this build: 0,")
        .contains("no tests ran in: one, two")
        .contains("No test was skipped.")
        .doesNotContain("OldIT");
  }
}
