// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Kills servers and clients of a pool at random, in JVMs of their own, while the clients write,
 * read and delete; before that, one client is stopped for longer than its lease, and goes on. In
 * the end no byte of the pool must be in use, and nobody must have read a wrong one; objects that
 * no killed server held must be readable all the time.
 *
 * <p>{@code main} takes the transport and the number of kills; the build's test does few.
 */
final class RandomKills {

  private static final int PAGE = 16 << 10;
  private static final int PAGES = 400;
  private static final int SERVERS = 3;
  private static final int CLIENTS = 2;
  private static final int KEPT = 40;
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final AccessToken TOKEN = AccessToken.of("random kills");

  private final String transportName;
  private final Random random;
  private final List<ServerAddress> servers;
  private final PoolProcess[] serverProcesses = new PoolProcess[SERVERS];
  private final PoolProcess[] clientProcesses = new PoolProcess[CLIENTS];
  private final Map<String, Set<ServerAddress>> kept = new TreeMap<>();
  private int read;
  private int lost;
  private int wrong;

  private RandomKills(String transportName, long seed) throws IOException {
    this.transportName = transportName;
    this.random = new Random(seed);
    this.servers = TestPool.freeAddresses(SERVERS);
  }

  /** What came of it. */
  record Outcome(int kills, int read, int lost, int wrong, long usedBytes) {}

  /** Kills so many processes. */
  static Outcome run(String transportName, long seed, int kills) throws Exception {
    RandomKills run = new RandomKills(transportName, seed);
    try (Transport transport = Transports.found().open(transportName)) {
      return run.kill(transport, kills);
    } finally {
      for (PoolProcess process : run.processes()) {
        process.close();
      }
    }
  }

  private List<PoolProcess> processes() {
    List<PoolProcess> all = new ArrayList<>(Arrays.asList(serverProcesses));
    all.addAll(Arrays.asList(clientProcesses));
    all.removeIf(process -> process == null);
    return all;
  }

  private Outcome kill(Transport transport, int kills) throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      serverProcesses[i] = startServer(i);
    }
    for (PoolProcess process : serverProcesses) {
      process.awaitReady();
    }
    startClients();
    for (PoolProcess process : clientProcesses) {
      process.awaitReady();
    }
    int killed = 0;
    try (PoolClient client = PoolClient.connect(transport, options(servers))) {
      client.createDirectory(PoolPath.of("/kept"));
      while (killed < kills) {
        writeKept(client);
        stopForLongerThanALease(client, clientProcesses[random.nextInt(CLIENTS)]);
        int server = random.nextInt(SERVERS);
        serverProcesses[server].close();
        kept.values().removeIf(holders -> holders.contains(servers.get(server)));
        for (PoolProcess process : clientProcesses) {
          process.kill();
          count(process.rest());
          process.close();
        }
        killed += 1 + CLIENTS;
        verifyKept(client);
        serverProcesses[server] = startServer(server);
        startClients();
        serverProcesses[server].awaitReady();
        for (PoolProcess process : clientProcesses) {
          process.awaitReady();
        }
        verifyKept(client);
      }
      for (PoolProcess process : clientProcesses) {
        process.kill();
        count(process.rest());
      }
      removeAll(client);
      Await.until("no byte is in use", () -> used(client) == 0);
      return new Outcome(killed, read, lost, wrong, used(client));
    }
  }

  private static void stopForLongerThanALease(PoolClient client, PoolProcess process)
      throws IOException, InterruptedException {
    process.stop();
    Await.until("its lease is over", () -> isConnected(client, CLIENTS));
    process.goOn();
    Await.until("it is back", () -> isConnected(client, CLIENTS + 1));
  }

  private static boolean isConnected(PoolClient client, int clients) {
    return client.status().stream().allMatch(status -> status.clients() == clients);
  }

  private static long used(PoolClient client) {
    List<ServerStatus> all = client.status();
    return all.size() < SERVERS ? -1 : all.stream().mapToLong(ServerStatus::usedBytes).sum();
  }

  private void writeKept(PoolClient client) throws IOException {
    for (int i = 0; i < KEPT; i++) {
      PoolPath path = PoolPath.of("/kept/" + i);
      if (!kept.containsKey(path.value())) {
        try {
          client.delete(path);
        } catch (NoSuchFileException e) {
          // Not written before.
        }
        TestPool.write(client, path.value(), Lifetime.POOL, bytes(path.value()));
        kept.put(path.value(), new HashSet<>(client.getAttributes(path).servers()));
      }
    }
  }

  private void verifyKept(PoolClient client) throws IOException {
    for (String path : kept.keySet()) {
      if (!Arrays.equals(TestPool.read(client, path), bytes(path))) {
        wrong++;
      }
      read++;
    }
  }

  private static void removeAll(PoolClient client) throws IOException {
    for (PoolEntry entry : client.list(PoolPath.ROOT)) {
      client.removeDirectory(entry.path(), true);
    }
  }

  /** What a client has printed: a letter for each read. */
  private void count(List<String> lines) {
    for (String line : lines) {
      switch (line) {
        case "r" -> read++;
        case "l" -> lost++;
        default -> {
          System.err.println(line);
          wrong++;
        }
      }
    }
  }

  private static PoolClientOptions options(List<ServerAddress> servers) {
    return PoolClientOptions.of(servers, TOKEN).withBuffers(8);
  }

  private PoolProcess startServer(int number) throws IOException {
    return PoolProcess.start(
        Server.class, transportName, servers.get(number).toString(), String.join(",", texts()));
  }

  private void startClients() throws IOException {
    for (int i = 0; i < CLIENTS; i++) {
      clientProcesses[i] =
          PoolProcess.start(
              Client.class,
              transportName,
              String.join(",", texts()),
              Long.toString(random.nextLong()));
    }
  }

  private List<String> texts() {
    return servers.stream().map(ServerAddress::toString).toList();
  }

  /** Every path has its own bytes, so that those of another are known to be wrong. */
  static byte[] bytes(String path) {
    Random random = new Random(path.hashCode());
    byte[] bytes = new byte[1 + random.nextInt(3 * PAGE)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A server. */
  static final class Server {
    /** The transport, its address, and all. */
    public static void main(String[] args) throws Exception {
      PoolServerOptions options =
          new PoolServerOptions(
              ServerAddress.parse(args[1]),
              ServerAddress.parseList(args[2]),
              List.of(TierOptions.dram((long) PAGES * PAGE)),
              PAGE,
              LEASE,
              Duration.ofSeconds(5),
              TOKEN);
      try (Transport transport = Transports.found().open(args[0]);
          PoolServer server = PoolServer.start(transport, options)) {
        System.out.println("ready");
        server.awaitStop();
      }
    }
  }

  /** A client that writes, reads and deletes until it is killed. */
  static final class Client {
    /** The transport, the servers, and a seed. */
    public static void main(String[] args) throws Exception {
      List<ServerAddress> servers = ServerAddress.parseList(args[1]);
      Random random = new Random(Long.parseLong(args[2]));
      try (Transport transport = Transports.found().open(args[0]);
          PoolClient client =
              PoolClient.connect(
                  transport,
                  options(servers)
                      .withCaches(new CacheOptions(1 << 20, 8 * PAGE, Duration.ZERO)))) {
        System.out.println("ready");
        while (true) {
          String path = "/c" + random.nextInt(CLIENTS) + "/o" + random.nextInt(60);
          try {
            step(client, PoolPath.of(path), random);
          } catch (DamagedPageException e) {
            System.out.println("damaged: " + e.getMessage());
          } catch (ObjectLostException e) {
            System.out.println("l");
            deleteLost(client, PoolPath.of(path));
          } catch (IOException e) {
            // A path that is there or is not, a server that has gone: all but wrong bytes is right.
          }
        }
      }
    }

    private static void deleteLost(PoolClient client, PoolPath path) {
      try {
        client.delete(path);
      } catch (IOException e) {
        // Somebody else has deleted it.
      }
    }

    private static void step(PoolClient client, PoolPath path, Random random) throws IOException {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          client.createDirectory(path.parent());
          Lifetime lifetime = random.nextBoolean() ? Lifetime.POOL : Lifetime.LEASE;
          try (ObjectWriter writer = client.create(path, lifetime)) {
            writer.write(ByteBuffer.wrap(bytes(path.value())));
            if (random.nextInt(10) > 0) {
              writer.commit();
            }
          }
        }
        case 2 -> client.delete(path);
        default -> read(client, path, random);
      }
    }

    private static void read(PoolClient client, PoolPath path, Random random) throws IOException {
      byte[] expected = bytes(path.value());
      ObjectReader reader = client.open(path);
      int from = random.nextBoolean() ? 0 : random.nextInt(expected.length);
      ByteBuffer got = ByteBuffer.allocate(expected.length - from);
      reader.read(from, got);
      boolean right =
          reader.length() == expected.length
              && Arrays.equals(got.array(), Arrays.copyOfRange(expected, from, expected.length));
      System.out.println(right ? "r" : "wrong: " + path + " from " + from);
    }
  }

  /** The transport, and the number of kills. */
  public static void main(String[] args) throws Exception {
    long seed = args.length > 2 ? Long.parseLong(args[2]) : System.nanoTime();
    System.out.println("seed " + seed);
    System.out.println(run(args[0], seed, Integer.parseInt(args[1])));
    System.exit(0);
  }
}
