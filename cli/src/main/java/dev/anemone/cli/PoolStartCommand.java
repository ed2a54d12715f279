// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.rdma.pool.PrometheusText;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.server.Admission;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code anemone pool start}: runs a server until it is stopped. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Runs a server of the pool in the foreground, until it is stopped.",
      "'anemone pool stop' or an interrupt ends it, and what it holds is lost then, unless it is to",
      "--keep it. Faster tiers are filled first, over all servers of the pool: dram, pmem, file.",
      "  --device=dram --capacity=8g --device=file:/nvme --capacity=100g",
      ""
    })
final class PoolStartCommand implements Callable<Integer> {

  @Option(
      names = "--capacity",
      required = true,
      converter = MemorySize.class,
      paramLabel = "SIZE",
      description = "Size of a tier: bytes, or such as 512m, 8g (powers of 1024).")
  private List<Long> capacities;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description =
          "What the tier is made of (default: dram): dram; pmem:DIRECTORY, on a DAX file "
              + "system; file:DIRECTORY, on any other.")
  private List<String> devices = List.of("dram");

  @Option(
      names = "--keep",
      description =
          "What belongs to the pool and lies in pmem: is there when the server is "
              + "started again, as after a crash. In pools of one server.")
  private boolean keep;

  @Option(
      names = "--listen",
      defaultValue = "127.0.0.1:7070",
      paramLabel = "HOST:PORT",
      description = "Where it listens (default: ${DEFAULT-VALUE}).")
  private String listen;

  @Option(
      names = "--servers",
      paramLabel = "HOST:PORT,...",
      description = "All servers of the pool, this one too (default: this one alone).")
  private String servers;

  @Option(
      names = {"--page", "--chunk"},
      converter = MemorySize.class,
      paramLabel = "SIZE",
      description = "Size of a page, the same on all servers (default: 1m).")
  private long page = PoolServerOptions.DEFAULT_PAGE_BYTES;

  @Option(
      names = "--lease-ms",
      defaultValue = "10000",
      paramLabel = "MS",
      description = "A client that is silent for so long is dead (default: ${DEFAULT-VALUE}).")
  private long leaseMillis;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description =
          "Clients and other servers that may be connected at a time, one connection "
              + "each (default: 1024).")
  private int connections = Admission.DEFAULT_CONNECTIONS;

  @Option(
      names = "--handshake-ms",
      paramLabel = "MS",
      description =
          "Who has connected and has not proved within so long that it has the token is "
              + "hung up on (default: 10000).")
  private long handshakeMillis = Admission.DEFAULT_HANDSHAKE.toMillis();

  @Option(
      names = "--absent",
      paramLabel = "HOST:PORT,...",
      description =
          "Other servers of the pool that are down for certain. A server does not start "
              + "while one of the others cannot be reached that is not named here: it may live "
              + "and have names.")
  private String absent;

  @Option(
      names = "--metrics-file",
      paramLabel = "FILE",
      description =
          "A file that it writes its numbers to, in Prometheus's text format, such as "
              + "one of the directory that a node exporter reads. It is deleted when the "
              + "server ends.")
  private Path metricsFile;

  @Option(
      names = "--metrics-seconds",
      defaultValue = "5",
      paramLabel = "SECONDS",
      description = "How often that is (default: ${DEFAULT-VALUE}).")
  private int metricsSeconds;

  @Mixin private PoolAccess access;
  @Mixin private PoolOperator operator;
  @Mixin private UcxConsent ucx;

  @Override
  public Integer call() throws Exception {
    ServerAddress self = ServerAddress.parse(listen);
    if (!access.hasToken() && !isLoopback(self)) {
      throw new IllegalArgumentException(
          "--listen="
              + listen
              + " can be reached from other machines. Give a --token-file, or"
              + " listen on 127.0.0.1.");
    }
    PoolServerOptions options =
        new PoolServerOptions(
            self,
            servers == null ? List.of(self) : ServerAddress.parseList(servers),
            tiers(),
            Math.toIntExact(Math.min(page, Integer.MAX_VALUE)),
            Duration.ofMillis(leaseMillis),
            Duration.ofMillis(leaseMillis),
            access.token(),
            new Admission(
                connections, Duration.ofMillis(handshakeMillis), operator.tokenOfServer(access)),
            absent == null ? Set.of() : Set.copyOf(ServerAddress.parseList(absent)));
    try (Transport transport = access.open();
        PoolServer server = start(transport, options);
        MetricsFile metrics = metrics(server)) {
      System.err.println(
          "anemone: pool server "
              + self
              + " lends "
              + server.status().capacityBytes()
              + " bytes over "
              + transport.name()
              + (keep ? ", " + found(server) : "")
              + (metrics == null ? "" : ", its numbers are in " + metrics.file()));
      server.awaitStop();
    }
    return 0;
  }

  private static String found(PoolServer server) {
    List<String> lost = server.lostObjects();
    return "has kept "
        + server.keptObjects()
        + " objects"
        + (lost.isEmpty() ? "" : " and lost " + lost.size() + " (" + String.join(", ", lost) + ")");
  }

  private PoolServer start(Transport transport, PoolServerOptions options) throws IOException {
    if (!isLoopback(options.self())) {
      ucx.require(transport.name(), options.self().host());
    }
    return PoolServer.start(transport, options);
  }

  /** Null when nobody wants them. */
  private MetricsFile metrics(PoolServer server) throws IOException {
    if (metricsFile == null) {
      return null;
    }
    if (metricsSeconds < 1) {
      throw new IllegalArgumentException(
          "--metrics-seconds=" + metricsSeconds + " is no time. Give at least 1.");
    }
    return MetricsFile.open(
        metricsFile, Duration.ofSeconds(metricsSeconds), () -> PrometheusText.of(server.status()));
  }

  private List<TierOptions> tiers() {
    if (devices.size() != capacities.size()) {
      throw new IllegalArgumentException(
          "There are "
              + devices.size()
              + " devices and "
              + capacities.size()
              + " capacities. Give one --capacity for each --device.");
    }
    List<TierOptions> tiers = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      TierOptions tier = tier(devices.get(i), capacities.get(i));
      tiers.add(keep && tier.kind() == TierKind.PMEM ? tier.kept() : tier);
    }
    if (keep && tiers.stream().noneMatch(TierOptions::keep)) {
      throw new IllegalArgumentException(
          "--keep is for persistent memory, and there is none. Give --device=pmem:DIRECTORY.");
    }
    return tiers;
  }

  private static TierOptions tier(String device, long capacity) {
    int colon = device.indexOf(':');
    String kind = colon < 0 ? device : device.substring(0, colon);
    String path = device.substring(colon + 1);
    if (kind.equals("dram") && colon < 0) {
      return TierOptions.dram(capacity);
    } else if (kind.equals("pmem") && colon > 0 && !path.isEmpty()) {
      return TierOptions.pmem(Path.of(path), capacity);
    } else if (kind.equals("file") && colon > 0 && !path.isEmpty()) {
      return TierOptions.file(Path.of(path), capacity);
    }
    throw new IllegalArgumentException(
        "--device=" + device + " is none. Give dram, pmem:DIRECTORY or file:DIRECTORY.");
  }

  private static boolean isLoopback(ServerAddress address) {
    try {
      return InetAddress.getByName(address.host()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "--listen=" + address + ": there is no host " + address.host() + ".", e);
    }
  }

  /** Reads sizes such as {@code 8g}. */
  static final class MemorySize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      String size = text.toLowerCase(Locale.ROOT);
      int shift =
          switch (size.isEmpty() ? ' ' : size.charAt(size.length() - 1)) {
            case 'k' -> 10;
            case 'm' -> 20;
            case 'g' -> 30;
            default -> 0;
          };
      try {
        String digits = shift == 0 ? size : size.substring(0, size.length() - 1);
        return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
      } catch (NumberFormatException | ArithmeticException notASize) {
        throw new TypeConversionException(
            "'" + text + "' is not a size. Give a number of bytes, or such as 512m, 8g.");
      }
    }
  }
}
