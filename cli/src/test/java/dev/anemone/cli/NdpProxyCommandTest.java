// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class NdpProxyCommandTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--datanode=127.0.0.1:99999; --datanode=127.0.0.1:99999 is no address. Give HOST:PORT or https://HOST:PORT.",
        "--datanode=node1; --datanode=node1 is no address. Give HOST:PORT or https://HOST:PORT.",
        "--datanode=ftp://127.0.0.1:21; --datanode=ftp://127.0.0.1:21 is no address.",
        "--datanode=https://127.0.0.1:9865 --hadoop-conf-dir=/no/such; there is no directory /no/such.",
        "--datanode=no-such-host.invalid:9864; there is no host no-such-host.invalid",
      })
  void anAddressThatIsNoneIsRefused(String option, String message) {
    StringWriter err = new StringWriter();
    assertThat(command(err).execute(option.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:0", "[::]:0"})
  void whatOthersReachWantsASecret(String listen) {
    StringWriter err = new StringWriter();
    assertThat(command(err).execute("--datanode=127.0.0.1:1", "--listen=" + listen)).isEqualTo(2);
    assertThat(err.toString())
        .contains("--listen=" + listen + " can be reached from other machines.")
        .contains("Give a --token-file");
  }

  @Test
  void aTokenFileThatIsNotThereIsRefused() {
    StringWriter err = new StringWriter();
    assertThat(command(err).execute("--datanode=127.0.0.1:1", "--token-file=/no/such/file"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--token-file=/no/such/file cannot be read. Give a file");
  }

  @Test
  void withoutADataNodeItSaysWhatIsMissing() throws IOException {
    int nobody;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = closed.getLocalPort();
    }
    NdpProxyCommand command = new NdpProxyCommand();
    new CommandLine(command).parseArgs("--datanode=127.0.0.1:" + nobody);
    assertThatThrownBy(command::call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there is no data node of HDFS at 127.0.0.1:"
                + nobody
                + "; give the address of its web server, as HOST:PORT (dfs.datanode.http.address) or"
                + " https://HOST:PORT (dfs.datanode.https.address): the data node cannot be"
                + " reached: Connection refused: /127.0.0.1:"
                + nobody);
  }

  @Test
  void whatAKilledProxyHasLeftIsDeleted(@TempDir Path work) throws Exception {
    Process killed = new ProcessBuilder("sleep", "600").start();
    Path own = NdpProxyCommand.workDirectory(work);
    String ofThis = own.getFileName().toString();
    Path left =
        Files.createDirectory(
            work.resolve(
                ofThis.replaceFirst(
                    "-\\d+-\\d+-\\d+$",
                    "-"
                        + killed.pid()
                        + "-"
                        + killed.info().startInstant().orElseThrow().toEpochMilli()
                        + "-1")));
    Files.writeString(left.resolve("split.csv"), "1");
    killed.destroyForcibly().waitFor();

    Path next = NdpProxyCommand.workDirectory(work);

    assertThat(work).isDirectoryContaining(child -> child.equals(next));
    assertThat(left).doesNotExist();
    assertThatThrownBy(() -> NdpProxyCommand.workDirectory(work.resolve("missing")))
        .hasMessageContaining("is no directory");
  }

  private static CommandLine command(StringWriter err) {
    return new CommandLine(new NdpProxyCommand()).setErr(new PrintWriter(err, true));
  }
}
