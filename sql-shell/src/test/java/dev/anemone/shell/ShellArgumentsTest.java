// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.cli.WrongUsageException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellArgumentsTest {

  @Test
  void whatIsNotOurOwnIsForPipelines() {
    ShellArguments arguments =
        ShellArguments.of(List.of("-e", "A", "--slots=1", "--format=json", "-e", "B"));

    assertThat(arguments.text()).contains("A;\nB");
    assertThat(arguments.format()).isEqualTo(ResultFormat.JSON);
    assertThat(arguments.settings().arguments()).containsExactly("--slots=1");
  }

  @ParameterizedTest
  @CsvSource({"-e,-e needs", "-f,-f needs", "-x,-x", "SELECT,SELECT", "--format=xml,markdown"})
  void wrongUsageIsSaid(String argument, String said) {
    assertThatThrownBy(() -> ShellArguments.of(List.of(argument)))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining(said);
  }
}
