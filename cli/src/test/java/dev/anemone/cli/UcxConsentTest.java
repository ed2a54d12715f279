// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class UcxConsentTest {

  private static UcxConsent given(String... arguments) {
    return CommandLine.populateCommand(new UcxConsent(), arguments);
  }

  @Test
  void ucxWantsTheHostThatItListensOn() {
    assertThatThrownBy(() -> given().require("ucx", "10.0.0.7"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("whoever reaches 10.0.0.7 can read and write")
        .hasMessageContaining("--allow-ucx-on=10.0.0.7");
    assertThatThrownBy(() -> given("--allow-ucx-on=10.0.0.8").require("ucx", "10.0.0.7"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatCode(() -> given("--allow-ucx-on=10.0.0.7").require("ucx", "10.0.0.7"))
        .doesNotThrowAnyException();
    assertThatCode(() -> given().require("tcp", "10.0.0.7")).doesNotThrowAnyException();
  }

  @Test
  void aServerThatOthersReachOverUcxDoesNotStart(@TempDir Path directory) throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "a secret of this test");
    CommandLine command = new CommandLine(new PoolStartCommand());
    StringWriter err = new StringWriter();
    command.setErr(new PrintWriter(err));
    command.execute(
        "--capacity=1m", "--listen=0.0.0.0:1", "--transport=ucx", "--token-file=" + token);
    // Without UCX on this machine that is what it says.
    assertThat(err.toString())
        .containsAnyOf("--allow-ucx-on=0.0.0.0", "UCX is not on this machine");
  }
}
