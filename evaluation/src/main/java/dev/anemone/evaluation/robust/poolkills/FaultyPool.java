// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.robust.poolkills.KilledPool.KilledClient;
import dev.anemone.evaluation.robust.poolkills.KilledPool.SafeObjects;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.client.PoolClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A pool, processes of which suffer one fault after the other while clients work. Two servers never
 * suffer at once. Objects that nobody held who suffered must be there all the time. Not
 * thread-safe.
 */
final class FaultyPool implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 50;

  private final FaultHistory history;
  private final List<ServerAddress> addresses;
  private final List<PoolMember> servers;
  private final List<PoolMember> clients;
  private final FaultTimes times;
  private final boolean mayAbort;
  private final ReachedServers reached;
  private final Random random;
  private final SafeObjects safe = new SafeObjects();
  private final List<String> wrong = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private PoolMember starting;
  private long right;
  private long lost;
  private int serversEnded;
  private int serversAborted;

  /**
   * A pool whose processes have not been started.
   *
   * @param history is told what happens to whom
   * @param servers in the order of their addresses
   * @param mayAbort whether the transport's library can abort a server whose client has gone, as
   *     UCX does over TCP; nothing is promised then
   * @param reached asks them
   */
  FaultyPool(
      FaultHistory history,
      List<ServerAddress> addresses,
      List<PoolMember> servers,
      List<PoolMember> clients,
      FaultTimes times,
      boolean mayAbort,
      ReachedServers reached,
      Random random) {
    this.history = history;
    this.addresses = addresses;
    this.servers = servers;
    this.clients = clients;
    this.times = times;
    this.mayAbort = mayAbort;
    this.reached = reached;
    this.random = random;
  }

  /** Starts all processes, and waits for them. */
  void start() throws IOException, InterruptedException {
    // A server waits for the others, so that all have to be started before one is awaited.
    for (List<PoolMember> members : List.of(servers, clients)) {
      for (PoolMember member : members) {
        member.start();
      }
      for (PoolMember member : members) {
        member.awaitReady();
      }
    }
  }

  /** Lets somebody suffer a fault, and returns whether that was a server. */
  boolean strike(PoolClient client, PoolFault fault) throws IOException, InterruptedException {
    int victim = random.nextInt(servers.size() + clients.size());
    if (victim < servers.size()) {
      strikeServer(client, victim, fault);
      return true;
    }
    strikeClient(client, clients.get(victim - servers.size()), fault);
    return false;
  }

  /** A new one is awaited before the next server suffers; clients suffer meanwhile. */
  private void strikeServer(PoolClient client, int number, PoolFault fault)
      throws IOException, InterruptedException {
    writeSafe(client);
    PoolMember server = servers.get(number);
    history.add(server, fault.word());
    if (fault == PoolFault.KILL) {
      server.kill();
      safe.forget(addresses.get(number));
      verify(client);
    } else {
      boolean isLong = random.nextBoolean();
      safe.forget(addresses.get(number));
      server.strike(fault);
      passTime(client, isLong);
      server.heal(fault);
      history.add(server, "goes on");
      if (isLong && !isSettled()) {
        wrong.add(
            addresses.get(number)
                + " was "
                + fault.word()
                + " for longer than the deadline of the others; servers have lost each other, and"
                + " none of them has ended.");
      }
      if (server.isAlive()) {
        return;
      }
      countEnd(number);
    }
    history.add(server, "is started");
    server.start();
    starting = server;
  }

  /**
   * Waits until a server has ended, since it or another one had been lost, or all have been asked
   * for so long that they must have noticed, and still reach each other: on a slow machine nobody
   * may have asked while the one was away.
   *
   * @return false when neither came true in time
   */
  private boolean isSettled() throws InterruptedException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < PATIENCE.toNanos()) {
      if (!servers.stream().allMatch(PoolMember::isAlive)
          || (System.nanoTime() - begin > times.leastOfLong().toNanos() && reached.areAll())) {
        return true;
      }
      Thread.sleep(POLL_MILLIS);
    }
    return false;
  }

  private void strikeClient(PoolClient client, PoolMember member, PoolFault fault)
      throws IOException, InterruptedException {
    if (!member.isAlive()) {
      throw new ExperimentFailure("A client has ended by itself; its log says why.");
    }
    history.add(member, fault.word());
    if (fault == PoolFault.KILL) {
      count(member.kill());
      member.start();
    } else {
      member.strike(fault);
      passTime(client, random.nextBoolean());
      member.heal(fault);
      history.add(member, "goes on");
    }
  }

  /** Reads what must be there, again and again, while somebody is away. */
  private void passTime(PoolClient client, boolean isLong) throws InterruptedException {
    long least = isLong ? times.leastOfLong().toNanos() : 0;
    long most = (isLong ? times.mostOfLong() : times.mostOfShort()).toNanos();
    long end = System.nanoTime() + least + (long) (random.nextDouble() * (most - least));
    do {
      verify(client);
    } while (System.nanoTime() - end < 0);
  }

  /**
   * Reads what must be there. Where a server was aborted it is another one too many. What a server
   * held that has ended meanwhile, as others had lost it, is not looked for any more: two short
   * cuts one after the other can be too long together. It hears of that when it asks them.
   */
  private void verify(PoolClient client) throws InterruptedException {
    List<String> problems = safe.verify(client);
    if (problems.isEmpty()) {
      return;
    }
    long end = System.nanoTime() + times.leastOfLong().toNanos();
    List<PoolMember> living;
    do {
      if (mayAbort && servers.stream().anyMatch(PoolMember::wasAborted)) {
        safe.forgetAll();
        return;
      }
      living = forgetEnded();
      problems = safe.verify(client);
    } while (!problems.isEmpty() && oneEnds(living, end));
    missing.addAll(problems);
  }

  /** Forgets what servers held that have ended, and returns the others. */
  private List<PoolMember> forgetEnded() {
    List<PoolMember> living = new ArrayList<>();
    for (int number = 0; number < servers.size(); number++) {
      if (servers.get(number).isAlive()) {
        living.add(servers.get(number));
      } else {
        safe.forget(addresses.get(number));
      }
    }
    return living;
  }

  /** Waits until one of these has ended; returns whether one has in time. */
  private static boolean oneEnds(List<PoolMember> living, long end) {
    return CompletableFuture.anyOf(
            living.stream().map(PoolMember::onEnd).toArray(CompletableFuture[]::new))
        .thenApply(ended -> true)
        .completeOnTimeout(false, end - System.nanoTime(), TimeUnit.NANOSECONDS)
        .join();
  }

  /**
   * Waits until all servers are there, and writes what must be there from now on. A server that was
   * cut off for longer than it was meant to be, as reads waited for it, may be lost to the others
   * and not have ended yet; what is written is refused until it has.
   */
  private void writeSafe(PoolClient client) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      awaitServers(client);
      try {
        safe.write(client);
        return;
      } catch (IOException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  /** Waits until all servers are there, those too that ended as the others had lost them. */
  private void awaitServers(PoolClient client) throws IOException, InterruptedException {
    if (starting != null) {
      starting.awaitReady();
      history.add(starting, "is ready");
      starting = null;
      verify(client);
    }
    for (int number = 0; number < servers.size(); number++) {
      PoolMember server = servers.get(number);
      if (!server.isAlive()) {
        countEnd(number);
        safe.forget(addresses.get(number));
        history.add(server, "is started, as it had ended");
        server.start();
        server.awaitReady();
        history.add(server, "is ready");
      }
    }
  }

  private void countEnd(int number) {
    if (mayAbort && servers.get(number).wasAborted()) {
      serversAborted++;
      safe.forgetAll();
      return;
    }
    serversEnded++;
    if (!servers.get(number).hasEndedItself()) {
      wrong.add(addresses.get(number) + " crashed.");
    }
  }

  /** Ends the clients, deletes everything, and returns the bytes that are in use then. */
  long empty(PoolClient client) throws IOException, InterruptedException {
    awaitServers(client);
    for (PoolMember member : clients) {
      count(member.kill());
    }
    for (PoolEntry entry : client.list(PoolPath.ROOT)) {
      client.removeDirectory(entry.path(), true);
    }
    // The leases of dead clients have to run out first.
    long end = System.nanoTime() + PATIENCE.toNanos();
    long used = used(client);
    while (used != 0 && System.nanoTime() - end < 0) {
      Thread.sleep(POLL_MILLIS);
      used = used(client);
    }
    return used;
  }

  /** Bytes in use, of a server that does not answer one at least. */
  private long used(PoolClient client) {
    List<ServerStatus> answers = client.status();
    return answers.stream().mapToLong(ServerStatus::usedBytes).sum()
        + servers.size()
        - answers.size();
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

  /** Reads that got what was written. */
  long right() {
    return right + safe.read();
  }

  /** Reads of objects that a server had taken along. */
  long lost() {
    return lost;
  }

  /** Servers that ended since the others had taken them for dead. */
  int serversEnded() {
    return serversEnded;
  }

  /** Servers that the transport's library has aborted. */
  int serversAborted() {
    return serversAborted;
  }

  /** What wrong reads said, and which servers crashed, or did not end that had to. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Objects that nobody held who suffered and that could not be read, and why. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  @Override
  public void close() {
    servers.forEach(PoolMember::close);
    clients.forEach(PoolMember::close);
  }
}
