// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteReportsTest {

  @TempDir private Path directory;

  @Test
  void aTestCountsOnceAndFailsWhereItFailedOnce() throws IOException {
    Files.writeString(
        directory.resolve("TEST-outer.xml"),
        """
        <testsuite>
          <testcase classname="Suite" name="good"/>
          <testcase classname="Suite" name="twice"/>
          <testcase classname="Suite" name="ignored"><skipped message="why"/></testcase>
        </testsuite>
        """);
    Files.writeString(
        directory.resolve("TEST-nested.xml"),
        """
        <testsuite>
          <testcase classname="Suite" name="twice"><failure message="why"/></testcase>
          <testcase classname="Suite" name="broken"><error message="why"/></testcase>
        </testsuite>
        """);

    SuiteReports reports = SuiteReports.read(directory);

    assertThat(reports.failed()).containsExactly("Suite.broken", "Suite.twice");
    assertThat(reports.summary()).isEqualTo("3 unique tests run, 2 failed, 1 skipped");
  }

  @Test
  void aSuiteThatDidNotRunIsNoEmptySuite() {
    assertThatThrownBy(() -> SuiteReports.read(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
