// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.kept.KeptObjects;
import dev.anemone.rdma.pool.server.tier.PoolMemory;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of the remote memory pool. It lends its memory in pages, which clients read and write
 * one-sidedly, and has a share of the pool's names.
 *
 * <p>The servers of a pool are a fixed list. One that has died is out until it is started again; it
 * comes back empty, but for objects in {@linkplain TierOptions#keep kept} tiers, under a new
 * incarnation number, by which references to its former pages are recognised, and gets its share of
 * the names from the others.
 *
 * <p>Thread-safe.
 */
public final class PoolServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PoolServer.class);
  private static final int THREADS = 16;
  private static final int RUNS_IN_A_LEASE = 4;
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  /** What is asked of a server is short; what goes on for longer hangs, so this is no option. */
  private static final long CLOSE_SECONDS = 10;

  /** How often a server that listens is asked for names before this one gives up. */
  private static final int JOIN_ATTEMPTS = 5;

  private final PoolServerOptions options;
  private final long incarnation = new SecureRandom().nextLong();
  private final AtomicBoolean doubt = new AtomicBoolean();
  private final AcceptedConnections connections;
  private final RemovalLog removals = new RemovalLog();
  private final AtomicReference<String> ended = new AtomicReference<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ExecutorService waiting;
  private final ExecutorService filing;
  private final ExecutorService probing;
  private final ScheduledExecutorService keeper;
  private final Peers peers;
  private final PoolMemory memory;
  private final KeptObjects kept;
  private final PageTable pages;
  private final NameService names;
  private final Services services;
  private final Listener listener;

  private PoolServer(Transport transport, PoolServerOptions options) throws IOException {
    this.options = options;
    int self = options.number();
    connections = new AcceptedConnections(options.admission().connections());
    HashRing ring = new HashRing(options.servers());
    memory = PoolMemory.open(transport, options.tiers(), options.pageBytes(), options.keptName());
    try {
      kept = kept();
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
    ThreadFactory threads = threads("anemone-pool-" + options.self());
    waiting = workers(threads);
    filing = workers(threads);
    probing = workers(threads);
    keeper =
        Executors.newSingleThreadScheduledExecutor(threads("anemone-leases-" + options.self()));
    Runnable onDoubt = () -> doubt.set(true);
    peers = new Peers(transport, options, incarnation, onDoubt, probing, this::end);
    pages =
        new PageTable(options.tiers(), options.pageBytes(), memory.generations(), memory.regions());
    PageOwners owners = new PageOwners(self, incarnation, pages, peers, kept, onDoubt);
    CommitCheck check = new CommitCheck(options.pageBytes(), options.servers().size());
    names = new NameService(self, ring, peers, owners, removals, connections::isLive, check);
    pages.restore(kept.found());
    names.restore(kept.found());
    names.restore(kept.lost());
    Dispatcher dispatcher =
        new Dispatcher(
            names,
            new SmallObjects(self, incarnation, pages, memory.own(), names),
            pages,
            new PageFiles(memory.served(), pages, filing),
            owners,
            removals,
            waiting,
            this::status,
            peers::told,
            stopped::countDown);
    Quarantine quarantine = new Quarantine(pages, connections);
    services =
        new Services(
            Peers.poolName(options.servers()),
            options.token(),
            options.admission().operator(),
            connections,
            pages,
            quarantine,
            peers,
            dispatcher,
            this::welcome);
    LeaseKeeper leases =
        new LeaseKeeper(
            options.lease(),
            options.admission().handshake(),
            connections,
            quarantine,
            peers,
            names,
            new Reconciliation(self, ring, pages, names, peers),
            doubt);
    try {
      listener = transport.listen(options.self().socketAddress(), this::accept);
    } catch (IOException | RuntimeException e) {
      keeper.shutdownNow();
      closeMemory();
      throw e;
    }
    try {
      join();
    } catch (IOException | RuntimeException e) {
      try (PoolServer begun = this) {
        throw e;
      }
    }
    Duration shortest = Collections.min(List.of(options.lease(), options.admission().handshake()));
    long pause = Math.min(shortest.toMillis() / RUNS_IN_A_LEASE, LONGEST_PAUSE.toMillis()) + 1;
    Runnable look =
        () -> {
          leases.run();
          endIfDrained();
        };
    var keeping = keeper.scheduleWithFixedDelay(look, pause, pause, TimeUnit.MILLISECONDS);
    LOG.info("pool server {} is open: {} ({})", options.self(), status(), keeping);
  }

  /**
   * Starts a server: makes and registers its memory, listens, and gets its share of the names from
   * the servers that are there.
   *
   * @param transport stays the caller's, who closes it after the server
   * @throws IOException when there is not so much memory, when it cannot listen, or when a server
   *     that is there refuses it
   */
  public static PoolServer start(Transport transport, PoolServerOptions options)
      throws IOException {
    return new PoolServer(transport, options);
  }

  private KeptObjects kept() throws IOException {
    if (memory.kept().isEmpty()) {
      return KeptObjects.none();
    }
    Path directory =
        options.tiers().stream()
            .filter(TierOptions::keep)
            .findFirst()
            .flatMap(TierOptions::directory)
            .orElseThrow();
    return KeptObjects.open(
        directory.resolve(options.keptName() + ".objects"),
        memory.kept(),
        options.pageBytes(),
        incarnation);
  }

  private static ThreadFactory threads(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  private static ExecutorService workers(ThreadFactory threads) {
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            THREADS, THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    workers.allowCoreThreadTimeOut(true);
    // What comes when the server ends is answered by the end of the connection.
    workers.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    return workers;
  }

  private MessageHandler accept(Connection connection) {
    AcceptedConnection accepted = new AcceptedConnection(services, connection);
    if (!connections.add(accepted)) {
      LOG.warn(
          "pool server {} has {} connections, and no more may be: {} is turned away",
          options.self(),
          options.admission().connections(),
          connection.remoteAddress());
      accepted.close();
    } else if (closed.get()) {
      accepted.close();
    }
    return accepted;
  }

  private void join() throws IOException {
    for (int server = 0; server < options.servers().size(); server++) {
      if (server != options.number()) {
        join(server);
      }
    }
    names.open();
  }

  /** Joins a server, unless nobody listens at its address, or it is said to be down. */
  private void join(int server) throws IOException {
    if (options.absent().contains(options.servers().get(server))) {
      LOG.info("{} is said to be down.", options.servers().get(server));
      return;
    }
    ServerUnavailableException silent = null;
    for (int attempt = 0; attempt < JOIN_ATTEMPTS; attempt++) {
      try {
        PeerConnection connection = peers.connect(server);
        var done = connection.caller().call(new Request.Join(), Reply.Done.class);
        LOG.debug("joined {}: {}", options.servers().get(server), done);
        return;
      } catch (ServerUnavailableException e) {
        if (PeerProbe.nobodyListens(e)) {
          LOG.info("{} It is out until it is started.", e.getMessage());
          return;
        }
        LOG.warn("{} It may live, so it is asked again.", e.getMessage());
        silent = e;
      }
    }
    throw new IOException(
        "Pool server "
            + options.servers().get(server)
            + " has not let this one join in "
            + JOIN_ATTEMPTS
            + " attempts: "
            + silent.getMessage()
            + " It may live and have names that this one would not know, so that others would"
            + " free what they name: wait until it answers, or stop it, and start this one again."
            + " If it is down for certain, start this one with --absent="
            + options.servers().get(server)
            + ".",
        silent);
  }

  /** How many objects of a former server it has kept. */
  public int keptObjects() {
    return kept.found().size();
  }

  /**
   * The paths of objects that a former server has kept, and whose bytes have changed since: to open
   * one fails as when a server is lost that held a part of it.
   */
  public List<String> lostObjects() {
    return kept.lost().stream().map(StoredObject::path).toList();
  }

  /** What it says of itself. */
  public ServerStatus status() {
    return new ServerStatus(
        options.self().toString(),
        incarnation,
        pages.isDraining() ? ServerStatus.State.DRAINING : ServerStatus.State.OPEN,
        pages.tiers(),
        pages.openBytes(),
        pages.sealedBytes(),
        pages.withheldBytes(),
        names.size(),
        connections.clients(),
        new ServerStatus.Counters(
            names.counts().commits(), names.counts().lookups(), pages.counters()));
  }

  /** When it is being drained, and nobody has a page of it or a name that it alone knows. */
  private void endIfDrained() {
    if (pages.isDraining() && pages.isUnused() && names.copies().areComplete()) {
      LOG.info("pool server {} has been drained", options.self());
      stopped.countDown();
    }
  }

  /** It has to, since others may have taken it for dead. */
  private void end(String why) {
    LOG.error("pool server {} ends: {}", options.self(), why);
    ended.compareAndSet(null, why);
    stopped.countDown();
  }

  /**
   * Waits until it has to be closed, as an operator has asked it to stop, or it has been drained.
   *
   * @throws IOException when nobody has, but the other servers go on without it: what it holds is
   *     lost, and it can be started again, empty
   */
  public void awaitStop() throws InterruptedException, IOException {
    stopped.await();
    if (ended.get() != null) {
      throw new IOException("Pool server " + options.self() + " ends: " + ended.get());
    }
  }

  /** Ends all connections and gives back the memory. Does nothing the second time. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    keeper.shutdownNow();
    probing.shutdownNow();
    listener.close();
    connections.all().forEach(AcceptedConnection::close);
    peers.close();
    waiting.shutdown();
    filing.shutdown();
    try {
      if (!waiting.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)
          || !filing.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "pool server " + options.self() + " did not end within " + CLOSE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closeMemory();
    }
  }

  private void closeMemory() {
    try (PoolMemory closed = memory) {
      kept.close();
    } catch (IOException e) {
      LOG.warn("the list of kept objects could not be closed", e);
    }
  }

  private Reply.Welcome welcome() {
    return new Reply.Welcome(
        incarnation,
        options.pageBytes(),
        options.lease().toMillis(),
        pages.freePages(),
        removals.count(),
        memory.regions(),
        memory.generationsInfo());
  }
}
