// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.pool.PoolServerProcess.PoolServerProgram;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.robust.poolkills.KilledPool.KilledClient;
import dev.anemone.evaluation.robust.poolkills.KilledPool.SafeObjects;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-kills}: what a pool does when its processes are killed. */
@Command(name = "pool-kills")
public final class PoolKills extends ExperimentCommand {
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx96m",
          "-XX:MaxDirectMemorySize=128m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xshare:auto");

  @Option(names = "--kills", description = "How many processes are killed.")
  private int kills = 1_000;

  @Option(names = "--servers", description = "Servers of the pool, at least 2.")
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
      description = "After which no more are killed.")
  private int deadlineSeconds = 7_200;

  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 50;
  private static final int PROGRESS = 50;

  private Random random;
  private List<ServerAddress> addresses;
  private LineProcess[] serverProcesses;
  private LineProcess[] clientProcesses;
  private final SafeObjects safe = new SafeObjects();
  private final List<String> wrong = new ArrayList<>();
  private LineProcess starting;
  private int serverKills;
  private int clientKills;
  private long right;
  private long lost;

  /**
   * @param right reads that got what was written
   * @param lost reads of objects that a killed server had taken along
   * @param wrong what wrong reads said
   * @param missing objects that no killed server held and that could not be read, and why
   * @param leakedBytes bytes of the pool that were in use when everything had been deleted
   */
  record Figures(
      long seed,
      int wantedKills,
      int serverKills,
      int clientKills,
      long right,
      long lost,
      List<String> wrong,
      List<String> missing,
      long leakedBytes,
      double seconds) {
    /** Whether enough died, and nothing leaked, was read wrong, or is gone that was safe. */
    boolean isRight() {
      return serverKills + clientKills >= wantedKills
          && wrong.isEmpty()
          && missing.isEmpty()
          && leakedBytes == 0;
    }
  }

  @Override
  protected void check() {
    require("--kills", kills, kills >= 1, "there must be one");
    require("--servers", servers, servers >= 2, "names have a replica on another server");
    require("--clients", clients, clients >= 1, "somebody must read and write");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    long drawn = seed == null ? System.nanoTime() : seed;
    progress("Seed %d", drawn);
    random = new Random(drawn);
    addresses = PoolServerProcess.freeAddresses(servers);
    serverProcesses = new LineProcess[servers];
    clientProcesses = new LineProcess[clients];
    long begin = System.nanoTime();
    long leaked;
    try (Transport transport = Transports.found().open("tcp")) {
      startAll();
      leaked = killAll(transport, begin + TimeUnit.SECONDS.toNanos(deadlineSeconds));
    } finally {
      closeAll();
    }
    Figures figures =
        new Figures(
            drawn,
            kills,
            serverKills,
            clientKills,
            right + safe.read(),
            lost,
            wrong,
            safe.missing(),
            leaked,
            (System.nanoTime() - begin) / 1e9);
    publish(figures);
    return figures.isRight();
  }

  private void startAll() throws IOException, InterruptedException {
    // A server waits for the others, so that all have to be started before one is awaited.
    for (int server = 0; server < serverProcesses.length; server++) {
      startServer(server);
    }
    for (LineProcess server : serverProcesses) {
      server.await(PoolServerProgram.READY, START);
    }
    for (int client = 0; client < clientProcesses.length; client++) {
      startClient(client);
    }
    for (LineProcess client : clientProcesses) {
      client.await(PoolServerProgram.READY, START);
    }
  }

  private void startServer(int server) throws IOException {
    serverProcesses[server] =
        start(
            "server-" + server,
            PoolServerProgram.class,
            PoolServerProgram.arguments(
                "tcp",
                addresses.get(server),
                addresses,
                TierOptions.dram((long) KilledPool.CHUNKS * KilledPool.CHUNK_BYTES),
                KilledPool.CHUNK_BYTES,
                KilledPool.LEASE));
  }

  private LineProcess start(String name, Class<?> program, Object... arguments) throws IOException {
    return LineProcess.start(
        JavaProgram.of(program, evaluation().ownClassPath(), JVM_OPTIONS, arguments),
        directory().resolve(name + ".log"));
  }

  private void startClient(int client) throws IOException {
    clientProcesses[client] =
        start(
            "client-" + client,
            KilledClient.class,
            PoolServerProcess.text(addresses),
            random.nextLong());
  }

  /** Returns the bytes that are in use when all has been deleted. */
  private long killAll(Transport transport, long end) throws IOException, InterruptedException {
    try (PoolClient client = PoolClient.connect(transport, KilledPool.clientOptions(addresses))) {
      safe.makeDirectory(client);
      while (serverKills + clientKills < kills && System.nanoTime() - end < 0) {
        int victim = random.nextInt(serverProcesses.length + clientProcesses.length);
        if (victim < serverProcesses.length) {
          killServer(client, victim);
        } else {
          killClient(victim - serverProcesses.length);
        }
        if ((serverKills + clientKills) % PROGRESS == 0) {
          progress("%d killed", serverKills + clientKills);
        }
      }
      awaitStarting(client);
      for (LineProcess process : clientProcesses) {
        count(process.kill());
      }
      for (PoolEntry entry : client.list(PoolPath.ROOT)) {
        client.removeDirectory(entry.path(), true);
      }
      return awaitEmpty(client);
    }
  }

  /** The new one is awaited before the next server is killed; clients are killed meanwhile. */
  private void killServer(PoolClient client, int server) throws IOException, InterruptedException {
    awaitStarting(client);
    safe.write(client);
    serverProcesses[server].kill();
    serverKills++;
    safe.forget(addresses.get(server));
    safe.verify(client);
    startServer(server);
    starting = serverProcesses[server];
  }

  private void awaitStarting(PoolClient client) throws IOException, InterruptedException {
    if (starting != null) {
      starting.await(PoolServerProgram.READY, START);
      starting = null;
      safe.verify(client);
    }
  }

  private void killClient(int client) throws IOException, InterruptedException {
    List<String> said = clientProcesses[client].kill();
    clientKills++;
    count(said);
    startClient(client);
  }

  /** What a client said; its end may be cut in the middle of a line. */
  private void count(List<String> lines) {
    for (String line : lines) {
      if (line.equals(KilledClient.RIGHT)) {
        right++;
      } else if (line.equals(KilledClient.LOST)) {
        lost++;
      } else if (line.startsWith(KilledClient.WRONG)) {
        wrong.add(line);
      }
    }
  }

  /** The leases of dead clients have to run out first. */
  private long awaitEmpty(PoolClient client) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long used = used(client);
    while (used != 0 && System.nanoTime() - end < 0) {
      Thread.sleep(POLL_MILLIS);
      used = used(client);
    }
    return used;
  }

  private static long used(PoolClient client) {
    return client.status().stream().mapToLong(ServerStatus::usedBytes).sum();
  }

  private void closeAll() {
    for (LineProcess[] processes : List.of(serverProcesses, clientProcesses)) {
      for (LineProcess process : processes) {
        if (process != null) {
          process.close();
        }
      }
    }
  }

  private void publish(Figures figures) throws IOException {
    List<String> problems = new ArrayList<>(figures.wrong());
    problems.addAll(figures.missing());
    if (serverKills + clientKills < kills) {
      problems.add(
          text("The deadline was over before %d were killed: more time with --deadline.", kills));
    }
    publish(
        figures,
        text("A pool of %d servers with %d clients, seed %d", servers, clients, figures.seed()),
        String.join("\n", problems),
        new MarkdownTable(
                "kills; servers; clients; reads right|%,d; lost|%,d; wrong; leaked bytes; "
                    + "s|%.0f")
            .row(
                serverKills + clientKills,
                serverKills,
                clientKills,
                figures.right(),
                figures.lost(),
                figures.wrong().size() + figures.missing().size(),
                figures.leakedBytes(),
                figures.seconds()));
  }
}
