// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.network.BridgedHosts;
import dev.anemone.evaluation.lab.network.Namespaces;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.pool.PoolServerProcess.PoolServerProgram;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.robust.poolkills.KilledPool.KilledClient;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.testing.LocalPool;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-kills}: what a pool does when its processes suffer faults. */
@Command(name = "pool-kills")
public final class PoolKills extends ExperimentCommand {
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx96m",
          "-XX:MaxDirectMemorySize=128m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xshare:auto",
          "-Danemone.log=INFO");

  @Option(names = "--faults", description = "How many faults happen.")
  private int faults = 1_000;

  @Option(
      names = "--kinds",
      split = ",",
      description =
          "Faults to choose from: ${COMPLETION-CANDIDATES}. CUT needs root, and namespaces of its"
              + " own: unshare --net --mount evaluation/run pool-kills ...")
  private Set<PoolFault> kinds = EnumSet.of(PoolFault.KILL, PoolFault.STOP);

  @Option(names = "--transport", description = "tcp or ucx.")
  private String transport = "tcp";

  @Option(names = "--servers", description = "Servers of the pool, at least 3 unless only KILLed.")
  private int servers = 3;

  @Option(names = "--clients", description = "Clients, at least 1.")
  private int clients = 4;

  @Option(
      names = "--seed",
      description = "Seed of the choices (default: another one each time; it is printed).")
  private Long seed;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description = "After which no more faults happen.")
  private int deadlineSeconds = 7_200;

  @Option(
      names = "--answer-seconds",
      paramLabel = "SECONDS",
      description =
          "Who does not answer servers for so long is lost to them. A machine that has no time for"
              + " a process for so long lets more suffer than one at a time.")
  private int answerSeconds = 3;

  private static final int PROGRESS = 50;
  private static final int PORT = 7070;
  private static final Map<String, String> NETWORK_ONLY =
      Map.of("UCX_TLS", "tcp,self", "UCX_NET_DEVICES", BridgedHosts.DEVICE);

  private String classPath;

  /**
   * @param happened how often each fault came over servers and over clients
   * @param serversEnded servers that were away for so long that they had to end
   * @param serversAborted servers that UCX has aborted, as it does over TCP when a client is gone
   * @param right reads that got what was written
   * @param lost reads of objects that a server had taken along
   * @param wrong what wrong reads said
   * @param missing objects that had to be there and could not be read, and why
   * @param leakedBytes bytes of the pool that were in use when everything had been deleted
   */
  record Figures(
      long seed,
      String transport,
      int wantedFaults,
      Map<PoolFault, Victims> happened,
      int serversEnded,
      int serversAborted,
      long right,
      long lost,
      List<String> wrong,
      List<String> missing,
      long leakedBytes,
      double seconds) {

    int count() {
      return happened.values().stream().mapToInt(Victims::count).sum();
    }

    /** Whether enough happened, and nothing leaked, was read wrong, or is gone that was safe. */
    boolean isRight() {
      return count() >= wantedFaults && wrong.isEmpty() && missing.isEmpty() && leakedBytes == 0;
    }
  }

  /** How many servers and clients a fault came over. */
  record Victims(int servers, int clients) {

    int count() {
      return servers + clients;
    }

    private Victims plus(Victims more) {
      return new Victims(servers + more.servers, clients + more.clients);
    }
  }

  @Override
  protected void check() {
    require("--faults", faults, faults >= 1, "there must be one");
    require("--servers", servers, servers >= 2, "names have a replica on another server");
    require(
        "--servers",
        servers,
        servers >= 3 || kinds.equals(EnumSet.of(PoolFault.KILL)),
        "of two servers the second answers for nothing while the first is away; --kinds=KILL");
    require("--clients", clients, clients >= 1, "somebody must read and write");
    require("--answer-seconds", answerSeconds, answerSeconds >= 1, "a packet takes its time");
  }

  private FaultTimes times() {
    return new FaultTimes(Duration.ofSeconds(answerSeconds));
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    classPath = evaluation().ownClassPath();
    if (!kinds.contains(PoolFault.CUT)) {
      return measure(LocalPool.freeAddresses(servers), List.of());
    }
    Namespaces.require("pool-kills");
    requireNetworkOnly();
    try (BridgedHosts hosts =
        BridgedHosts.make(servers + clients, directory().resolve("hosts.log"))) {
      return measure(
          hosts.all().stream()
              .limit(servers)
              .map(host -> new ServerAddress(host.address(), PORT))
              .toList(),
          hosts.all());
    }
  }

  /**
   * Where processes are on one machine UCX takes memory that they share, or loopback, whatever
   * their networks are.
   */
  private void requireNetworkOnly() {
    if (transport.equals("ucx")
        && !NETWORK_ONLY.entrySet().stream()
            .allMatch(variable -> variable.getValue().equals(System.getenv(variable.getKey())))) {
      throw new ExperimentFailure(
          "Who is cut off from the network would still reach the others, as they are on one"
              + " machine. Set %s.",
          NETWORK_ONLY.entrySet().stream()
              .map(Map.Entry::toString)
              .sorted()
              .collect(Collectors.joining(" and ")));
    }
  }

  private boolean measure(List<ServerAddress> addresses, List<BridgedHosts.Host> hosts)
      throws IOException, InterruptedException {
    long drawn = seed == null ? System.nanoTime() : seed;
    progress("Seed %d", drawn);
    Random random = new Random(drawn);
    long begin = System.nanoTime();
    Map<PoolFault, Victims> happened = new EnumMap<>(PoolFault.class);
    Figures figures;
    try (Transport opened = Transports.found().open(transport);
        FaultyPool pool = pool(opened, addresses, hosts, random)) {
      pool.start();
      long leaked;
      try (PoolClient client = PoolClient.connect(opened, KilledPool.clientOptions(addresses))) {
        strikeAll(pool, client, random, begin, happened);
        leaked = pool.empty(client);
      }
      figures =
          new Figures(
              drawn,
              transport,
              faults,
              happened,
              pool.serversEnded(),
              pool.serversAborted(),
              pool.right(),
              pool.lost(),
              pool.wrong(),
              pool.missing(),
              leaked,
              (System.nanoTime() - begin) / 1e9);
    }
    publish(figures);
    return figures.isRight();
  }

  private FaultyPool pool(
      Transport opened, List<ServerAddress> addresses, List<BridgedHosts.Host> hosts, Random random)
      throws IOException {
    return new FaultyPool(
        new FaultHistory(directory().resolve("history.log")),
        addresses,
        IntStream.range(0, servers)
            .mapToObj(number -> server(number, addresses, host(hosts, number)))
            .toList(),
        IntStream.range(0, clients)
            .mapToObj(number -> client(number, addresses, host(hosts, servers + number), random))
            .toList(),
        times(),
        transport.equals("ucx"),
        new ReachedServers(opened, addresses, times().answer()),
        random);
  }

  private static Optional<BridgedHosts.Host> host(List<BridgedHosts.Host> hosts, int number) {
    return hosts.isEmpty() ? Optional.empty() : Optional.of(hosts.get(number));
  }

  private PoolMember server(
      int number, List<ServerAddress> addresses, Optional<BridgedHosts.Host> host) {
    List<String> arguments =
        PoolServerProgram.arguments(
            transport,
            addresses.get(number),
            addresses,
            TierOptions.dram((long) KilledPool.CHUNKS * KilledPool.CHUNK_BYTES),
            KilledPool.CHUNK_BYTES,
            times().answer(),
            times().answer());
    return member("server-" + number, host, PoolServerProgram.class, () -> arguments);
  }

  private PoolMember client(
      int number, List<ServerAddress> addresses, Optional<BridgedHosts.Host> host, Random random) {
    return member(
        "client-" + number,
        host,
        KilledClient.class,
        () ->
            List.of(
                transport, PoolServerProcess.text(addresses), Long.toString(random.nextLong())));
  }

  private PoolMember member(
      String name,
      Optional<BridgedHosts.Host> host,
      Class<?> program,
      Supplier<List<String>> arguments) {
    return new PoolMember(
        host,
        () -> JavaProgram.of(program, classPath, JVM_OPTIONS, arguments.get()),
        directory(),
        name);
  }

  private void strikeAll(
      FaultyPool pool,
      PoolClient client,
      Random random,
      long begin,
      Map<PoolFault, Victims> happened)
      throws IOException, InterruptedException {
    List<PoolFault> choice = List.copyOf(EnumSet.copyOf(kinds));
    long end = begin + TimeUnit.SECONDS.toNanos(deadlineSeconds);
    for (int count = 1; count <= faults && System.nanoTime() - end < 0; count++) {
      PoolFault fault = choice.get(random.nextInt(choice.size()));
      boolean ofServer = pool.strike(client, fault);
      happened.merge(fault, ofServer ? new Victims(1, 0) : new Victims(0, 1), Victims::plus);
      if (count % PROGRESS == 0) {
        progress("%d faults", count);
      }
    }
  }

  private void publish(Figures figures) throws IOException {
    List<String> problems = new ArrayList<>(figures.wrong());
    problems.addAll(figures.missing());
    if (figures.count() < faults) {
      problems.add(
          text("The deadline was over before %d faults: more time with --deadline.", faults));
    }
    MarkdownTable faultsTable = new MarkdownTable("fault; servers; clients");
    figures
        .happened()
        .forEach(
            (fault, victims) ->
                faultsTable.row(fault.word(), victims.servers(), victims.clients()));
    publish(
        figures,
        text(
            "A pool of %d servers with %d clients over %s, seed %d",
            servers, clients, transport, figures.seed()),
        String.join("\n", problems),
        faultsTable,
        new MarkdownTable(
                "faults; servers ended; aborted; reads right|%,d; lost|%,d; wrong; missing;"
                    + " leaked bytes; s|%.0f")
            .row(
                figures.count(),
                figures.serversEnded(),
                figures.serversAborted(),
                figures.right(),
                figures.lost(),
                figures.wrong().size(),
                figures.missing().size(),
                figures.leakedBytes(),
                figures.seconds()));
  }
}
