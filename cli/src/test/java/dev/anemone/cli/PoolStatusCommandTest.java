// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.PrometheusText;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.Admission;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class PoolStatusCommandTest {

  @TempDir private Path tierDirectory;

  private Transport transport;
  private ServerAddress address;
  private PoolServer server;

  @BeforeEach
  void start() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new ServerAddress("127.0.0.1", free.getLocalPort());
    }
    transport = Transports.found().open("tcp");
    server =
        PoolServer.start(
            transport,
            new PoolServerOptions(
                    address,
                    List.of(address),
                    List.of(TierOptions.dram(1 << 20), TierOptions.file(tierDirectory, 1 << 16)),
                    1 << 12,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10),
                    AccessToken.open())
                .withAdmission(
                    new Admission(
                        Admission.DEFAULT_CONNECTIONS,
                        Admission.DEFAULT_HANDSHAKE,
                        Optional.of(AccessToken.open()))));
  }

  @AfterEach
  void stop() {
    server.close();
    transport.close();
  }

  @Test
  void theStatusIsPrintedAgainAndAgainUntilItIsInterrupted() throws Exception {
    StringWriter out = new StringWriter();
    CommandLine command =
        new CommandLine(new PoolStatusCommand()).setOut(new PrintWriter(out, true));
    Thread watching =
        new Thread(
            () -> command.execute("--servers=" + address, "--transport=tcp", "--watch=1"), "watch");
    watching.start();
    await(() -> out.toString().split("DRAM: 0 of 1,048,576 bytes used", -1).length > 2);
    assertThat(out.toString())
        .contains(address + " has 0 names and 0 clients")
        .contains(
            address + " FILE: 65,536 bytes are read and written by messages, which the server")
        .doesNotContain("DRAM: 1,048,576 bytes are read")
        .contains(
            address
                + " since its start: 0 objects of 0 bytes committed, 0 lookups answered,"
                + " 0 bytes of pages freed, 0 pages refused");
    try (PoolClient client =
        PoolClient.connect(transport, PoolClientOptions.of(List.of(address), AccessToken.open()))) {
      PoolPath path = PoolPath.of("/object");
      client.put(path, ByteBuffer.allocate(1_500), ObjectSettings.of(Lifetime.POOL));
      assertThat(client.get(path).remaining()).isEqualTo(1_500);
      client.delete(path);
    }
    await(
        () ->
            out.toString()
                .contains(
                    address
                        + " since its start: 1 object of 1,500 bytes committed, 1 lookup answered,"
                        + " 4,096 bytes of pages freed, 0 pages refused"));

    watching.interrupt();

    watching.join();
  }

  @Test
  void aServerThatIsDrainedSaysSoAndEndsWhenItIsEmpty() throws Exception {
    PoolPath path = PoolPath.of("/object");
    try (PoolClient client =
        PoolClient.connect(transport, PoolClientOptions.of(List.of(address), AccessToken.open()))) {
      client.put(path, ByteBuffer.allocate(5), ObjectSettings.of(Lifetime.POOL));

      assertThat(printed(new PoolStopCommand(), "--drain", "--only=" + address))
          .contains(address + " ends when the 4,096 bytes that are used there are free");
      assertThat(printed(new PoolStatusCommand()))
          .contains(address + " is being drained: it takes no more objects")
          .contains(address + " has 1 name and 1 client");
      client.delete(path);
    }
    server.awaitStop();
  }

  private String printed(Object command, String... more) {
    StringWriter out = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("--servers=" + address, "--transport=tcp"));
    arguments.addAll(List.of(more));
    assertThat(
            new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .execute(arguments.toArray(String[]::new)))
        .isZero();
    return out.toString();
  }

  @Test
  void numbersAreInAFileWhileTheServerRuns(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("pool.prom");
    try (MetricsFile metrics =
        MetricsFile.open(file, Duration.ofMillis(10), () -> PrometheusText.of(server.status()))) {
      assertThat(metrics.file()).content().contains("anemone_pool_clients{server=\"" + address);
      Files.delete(file);
      await(() -> Files.exists(file));
    }
    assertThat(directory).isEmptyDirectory();
    assertThatThrownBy(
            () ->
                MetricsFile.open(
                    directory.resolve("missing/pool.prom"), Duration.ofSeconds(1), () -> ""))
        .isInstanceOf(IOException.class);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
