// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.pool.PoolServerProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Kills one process of a pool after the other, servers and clients, while the clients write, read
 * and delete. A server is only killed while all others are there, since names have one replica. In
 * the end all is deleted, and no byte of the pool must be in use.
 */
final class KillExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 50;
  private static final int PROGRESS = 50;

  private final KillPlan plan;
  private final PrintWriter out;
  private final Random random;
  private final List<ServerAddress> addresses;
  private final LineProcess[] servers;
  private final LineProcess[] clients;
  private final SafeObjects safe = new SafeObjects();
  private final List<String> wrong = new ArrayList<>();
  private LineProcess starting;
  private int serverKills;
  private int clientKills;
  private long right;
  private long lost;

  /**
   * @param out for the seed and the table
   */
  KillExperiment(KillPlan plan, PrintWriter out) throws IOException {
    this.plan = plan;
    this.out = out;
    this.random = new Random(plan.seed());
    this.addresses = PoolServerProcess.freeAddresses(plan.servers());
    this.servers = new LineProcess[plan.servers()];
    this.clients = new LineProcess[plan.clients()];
  }

  /**
   * Kills, prints the table, and writes the raw figures.
   *
   * @throws dev.anemone.evaluation.lab.ExperimentFailure if a process does not start again
   * @throws IOException if a file cannot be written, or the pool does not answer
   */
  KillFigures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.directory());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    long begin = System.nanoTime();
    out.printf(Locale.ROOT, "Seed %d%n", plan.seed());
    out.flush();
    long leaked;
    try (Transport transport = Transports.found().open("tcp")) {
      startAll();
      leaked = killAll(transport, begin + plan.deadline().toNanos());
    } finally {
      closeAll();
    }
    KillFigures figures =
        new KillFigures(
            started,
            Machine.current(),
            load,
            plan.seed(),
            plan.kills(),
            serverKills,
            clientKills,
            right + safe.read(),
            lost,
            wrong,
            safe.missing(),
            leaked,
            (System.nanoTime() - begin) / 1e9);
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private void startAll() throws IOException, InterruptedException {
    // A server waits for the others, so that all have to be started before one is awaited.
    for (int server = 0; server < servers.length; server++) {
      startServer(server);
    }
    for (LineProcess server : servers) {
      server.await(PoolServerProgram.READY, START);
    }
    for (int client = 0; client < clients.length; client++) {
      startClient(client);
    }
    for (LineProcess client : clients) {
      client.await(PoolServerProgram.READY, START);
    }
  }

  private void startServer(int server) throws IOException {
    servers[server] =
        LineProcess.start(
            plan.command(
                PoolServerProgram.class,
                "tcp",
                addresses.get(server).toString(),
                PoolServerProcess.text(addresses),
                Long.toString((long) KillPlan.CHUNKS * KillPlan.CHUNK_BYTES),
                Integer.toString(KillPlan.CHUNK_BYTES),
                Long.toString(KillPlan.LEASE.toMillis())),
            Map.of(),
            plan.directory().resolve("server-" + server + ".log"));
  }

  private void startClient(int client) throws IOException {
    clients[client] =
        LineProcess.start(
            plan.command(
                KilledClient.class,
                PoolServerProcess.text(addresses),
                Long.toString(random.nextLong())),
            Map.of(),
            plan.directory().resolve("client-" + client + ".log"));
  }

  /** Returns the bytes that are in use when all has been deleted. */
  private long killAll(Transport transport, long end) throws IOException, InterruptedException {
    try (PoolClient client = PoolClient.connect(transport, KillPlan.clientOptions(addresses))) {
      safe.makeDirectory(client);
      while (serverKills + clientKills < plan.kills() && System.nanoTime() - end < 0) {
        int victim = random.nextInt(servers.length + clients.length);
        if (victim < servers.length) {
          killServer(client, victim);
        } else {
          killClient(victim - servers.length);
        }
        if ((serverKills + clientKills) % PROGRESS == 0) {
          System.err.printf("%d killed%n", serverKills + clientKills);
        }
      }
      awaitStarting(client);
      for (LineProcess process : clients) {
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
    servers[server].kill();
    serverKills++;
    safe.forget(addresses.get(server));
    safe.verify(client);
    startServer(server);
    starting = servers[server];
  }

  private void awaitStarting(PoolClient client) throws IOException, InterruptedException {
    if (starting != null) {
      starting.await(PoolServerProgram.READY, START);
      starting = null;
      safe.verify(client);
    }
  }

  private void killClient(int client) throws IOException, InterruptedException {
    List<String> said = clients[client].kill();
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
    for (LineProcess[] processes : List.of(servers, clients)) {
      for (LineProcess process : processes) {
        if (process != null) {
          process.close();
        }
      }
    }
  }

  private void print(KillFigures figures, Path file) {
    figures.wrong().forEach(out::println);
    figures.missing().forEach(out::println);
    if (figures.serverKills() + figures.clientKills() < figures.wantedKills()) {
      out.printf(
          "The deadline was over before %d were killed: more time with --deadline.%n",
          figures.wantedKills());
    }
    MarkdownTable table =
        new MarkdownTable(
            "kills", "servers", "clients", "reads right", "lost", "wrong", "leaked bytes", "s");
    table.row(
        Integer.toString(figures.serverKills() + figures.clientKills()),
        Integer.toString(figures.serverKills()),
        Integer.toString(figures.clientKills()),
        String.format(Locale.ROOT, "%,d", figures.right()),
        String.format(Locale.ROOT, "%,d", figures.lost()),
        Integer.toString(figures.wrong().size() + figures.missing().size()),
        Long.toString(figures.leakedBytes()),
        String.format(Locale.ROOT, "%.0f", figures.seconds()));
    out.printf(
        Locale.ROOT,
        "A pool of %d servers with %d clients, seed %d%n%s; load %.1f; started %s%n%n%s%n"
            + "Raw figures: %s%n",
        plan.servers(),
        plan.clients(),
        figures.seed(),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started(),
        table,
        file);
    out.flush();
  }
}
