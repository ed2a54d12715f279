// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class RequirementTest {

  private String ofTheBuild;

  @BeforeEach
  void keepWhatTheBuildRequires() {
    ofTheBuild = System.getProperty(Requirement.PROPERTY, "");
  }

  @AfterEach
  void restoreWhatTheBuildRequires() {
    System.setProperty(Requirement.PROPERTY, ofTheBuild);
  }

  @Test
  void whatIsMissingSkipsATest() {
    System.setProperty(Requirement.PROPERTY, "root");
    assertThatThrownBy(() -> Requirement.UCX.check(false, "no libucp.so.0"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("ucx is missing: no libucp.so.0");
  }

  @Test
  void whatIsRequiredAndMissingFailsIt() {
    System.setProperty(Requirement.PROPERTY, "root, UCX");
    assertThatThrownBy(() -> Requirement.UCX.check(false, "no libucp.so.0"))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("ucx is missing: no libucp.so.0")
        .hasMessageContaining("-Danemone.require");
  }

  @Test
  void whatIsThereLetsItGoOn() {
    System.setProperty(Requirement.PROPERTY, "ucx");
    assertThatCode(() -> Requirement.UCX.check(true, "")).doesNotThrowAnyException();
  }

  @Test
  void aNameThatIsNoRequirementIsRefused() {
    System.setProperty(Requirement.PROPERTY, "uxc");
    assertThatThrownBy(() -> Requirement.UCX.missing("no libucp.so.0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("uxc is none of [UCX, ROOT");
  }
}
