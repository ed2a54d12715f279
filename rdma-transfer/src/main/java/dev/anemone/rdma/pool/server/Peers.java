// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other servers of the pool, and which of them live. A server whose connection has ended is
 * lost until somebody knows what has become of it: its machine says that nobody listens there, or
 * another incarnation answers. While a server has lost so many that they could be the pool without
 * it ({@link PeerStates}), it answers for no names; when it finds then that one has gone on without
 * it, it ends (fail-stop). Of two that have lost each other, and neither has gone on without the
 * other one, or others reach both, the one with the higher number ends likewise. Thread-safe.
 */
final class Peers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final Transport transport;
  private final PoolServerOptions options;
  private final Caller.Identity identity;
  private final Runnable onChange;
  private final Executor probing;
  private final Consumer<String> onFenced;
  private final PeerProbe probe;
  private final List<AtomicBoolean> underWay;

  /** Of each server the incarnation that was reached last. */
  private final AtomicLongArray incarnations;

  /** 1 for a server of which that one may live; changed under its lock, as the incarnations are. */
  private final AtomicIntegerArray mayLive;

  /** 1 for a server that is lost, also by all others that are reached; changed as those are. */
  private final AtomicIntegerArray lostByAll;

  /** 1 for a server that is lost, and without which this one has answered for names of both. */
  private final AtomicIntegerArray goneOnWithout;

  private final AtomicReferenceArray<PeerConnection> connections;
  private final List<Object> connecting;

  /**
   * Nobody is connected yet.
   *
   * @param onChange called when a server came or went; must not wait
   * @param probing runs what waits for other servers
   * @param onFenced told, in words, when this server has to end; must not wait
   */
  Peers(
      Transport transport,
      PoolServerOptions options,
      long incarnation,
      Runnable onChange,
      Executor probing,
      Consumer<String> onFenced) {
    this.transport = transport;
    this.options = options;
    this.identity =
        new Caller.Identity(
            poolName(options.servers()), UUID.randomUUID(), options.number(), incarnation);
    this.onChange = onChange;
    this.probing = probing;
    this.onFenced = onFenced;
    this.probe = new PeerProbe(transport, options, new Reply.Peer(options.number(), incarnation));
    this.underWay = options.servers().stream().map(server -> new AtomicBoolean()).toList();
    this.incarnations = new AtomicLongArray(options.servers().size());
    this.mayLive = new AtomicIntegerArray(options.servers().size());
    this.lostByAll = new AtomicIntegerArray(options.servers().size());
    this.goneOnWithout = new AtomicIntegerArray(options.servers().size());
    this.connections = new AtomicReferenceArray<>(options.servers().size());
    this.connecting = options.servers().stream().map(server -> new Object()).toList();
  }

  /** What a pool is called among its servers and clients: all its servers. */
  static String poolName(List<ServerAddress> servers) {
    return servers.toString();
  }

  /**
   * The way to a server that lives, which is one from now on; connects when there is none. Two ways
   * to one server there are never: its end would be taken for that of the server.
   */
  PeerConnection connect(int server) throws IOException {
    synchronized (connecting.get(server)) {
      Optional<PeerConnection> there = find(server);
      return there.isPresent() ? there.get() : connectAnew(server);
    }
  }

  /** As {@link #connect(int)}, for a server of which only this incarnation lives. */
  PeerConnection connect(int server, long incarnation) throws IOException {
    synchronized (connecting.get(server)) {
      Optional<PeerConnection> there =
          find(server)
              .filter(connection -> connection.caller().welcome().incarnation() == incarnation);
      return there.isPresent() ? there.get() : connectAnew(server);
    }
  }

  private PeerConnection connectAnew(int server) throws IOException {
    PeerConnection connection =
        new PeerConnection(
            Caller.connect(
                transport,
                options.servers().get(server),
                options.token(),
                identity,
                options.deadline(),
                () -> closed(server)),
            () -> settle(server));
    PeerConnection before = connections.getAndSet(server, connection);
    synchronized (mayLive) {
      incarnations.set(server, connection.caller().welcome().incarnation());
      mayLive.set(server, 1);
      lostByAll.set(server, 0);
      goneOnWithout.set(server, 0);
    }
    if (before != null) {
      before.caller().close();
    }
    if (!connection.caller().isOpen()) {
      connections.compareAndSet(server, connection, null);
    }
    LOG.info("pool server {} is there", connection.caller().server());
    onChange.run();
    return connection;
  }

  /** An incarnation of a server has ended its connection to this one. */
  void lost(int server, long incarnation) {
    PeerConnection connection = connections.get(server);
    if (connection != null && connection.caller().welcome().incarnation() == incarnation) {
      connection.caller().close();
      closed(server);
    }
    onChange.run();
  }

  private void closed(int server) {
    PeerConnection connection = connections.get(server);
    if (connection != null
        && !connection.caller().isOpen()
        && connections.compareAndSet(server, connection, null)) {
      LOG.warn("pool server {} is gone", connection.caller().server());
      noteGoingOn();
      probing.execute(() -> settle(server));
    }
    onChange.run();
  }

  /** What is known of the others. */
  private PeerStates states() {
    BitSet up = new BitSet();
    BitSet dead = new BitSet();
    for (int server = 0; server < connections.length(); server++) {
      up.set(server, isUp(server));
      dead.set(server, mayLive.get(server) == 0);
    }
    return new PeerStates(options.number(), connections.length(), up, dead);
  }

  /** Whether a server is neither reached nor dead for certain. */
  private boolean isLost(int server) {
    return mayLive.get(server) == 1 && !isUp(server);
  }

  /**
   * Whether this server may not answer for names, as those that it has lost may answer for them.
   */
  boolean isFenced() {
    for (int server = 0; server < connections.length(); server++) {
      if (isLost(server)) {
        return states().isFenced();
      }
    }
    return false;
  }

  /**
   * Whether a server is lost that may be reached by others, which then go on with that one and not
   * with this one: until it is known, this one does not answer for what both have.
   *
   * @param server its number, or -1 for none
   */
  boolean isDisputed(int server) {
    return server >= 0 && server < options.number() && isLost(server) && lostByAll.get(server) == 0;
  }

  /** What others are told. */
  Reply.Peers told() {
    List<Reply.Peer> reached = new ArrayList<>();
    List<Reply.Peer> without = new ArrayList<>();
    for (int server = 0; server < connections.length(); server++) {
      Reply.Peer peer = new Reply.Peer(server, incarnations.get(server));
      if (isUp(server)) {
        reached.add(peer);
      } else if (goneOnWithout.get(server) == 1) {
        without.add(peer);
      }
    }
    return new Reply.Peers(reached, without);
  }

  /** After somebody was lost, or is known as dead: notes without whom this one answers now. */
  private void noteGoingOn() {
    if (isFenced()) {
      return;
    }
    for (int server = 0; server < connections.length(); server++) {
      if (isLost(server) && !isDisputed(server)) {
        goneOnWithout.set(server, 1);
      }
    }
  }

  /** Finds out what has become of a server that is lost; waits for it until the deadline. */
  void settle(int server) {
    long lost = incarnations.get(server);
    if (!isLost(server)) {
      return;
    }
    Reply.Peer peer = new Reply.Peer(server, lost);
    Witnesses witnesses = witnesses(peer);
    if (witnesses.reaching().isEmpty() && witnesses.complete()) {
      note(lostByAll, peer, 1);
    }
    PeerProbe.Verdict verdict = probe.ask(server, lost);
    if (verdict == PeerProbe.Verdict.DEAD) {
      note(mayLive, peer, 0);
    } else if (verdict != PeerProbe.Verdict.UNKNOWN && isLost(server)) {
      endUnlessOther(peer, verdict == PeerProbe.Verdict.WENT_ON);
    }
  }

  private void note(AtomicIntegerArray what, Reply.Peer of, int value) {
    synchronized (mayLive) {
      if (incarnations.get(of.server()) == of.incarnation()) {
        what.set(of.server(), value);
      }
    }
    noteGoingOn();
    onChange.run();
  }

  /** Two servers live that have lost each other: this one ends unless the other one has to. */
  private void endUnlessOther(Reply.Peer lost, boolean wentOn) {
    if (isFenced()) {
      if (wentOn || lost.server() < options.number()) {
        end(lost.server(), ", which lives and may have taken it for dead.");
      }
    } else if (isDisputed(lost.server())) {
      // Asked anew: a machine that was away is lost by all, and ends by itself.
      witnesses(lost)
          .reaching()
          .ifPresent(other -> end(lost.server(), ", and both are reached by " + other + "."));
    }
  }

  private void end(int lost, String why) {
    onFenced.accept("it had lost " + options.servers().get(lost) + why + " Start it again, empty.");
  }

  /**
   * What others say of a server.
   *
   * @param reaching one of those that reach it
   * @param complete whether all that are reached have been asked, if there is none
   */
  private record Witnesses(Optional<ServerAddress> reaching, boolean complete) {}

  private Witnesses witnesses(Reply.Peer lost) {
    boolean complete = true;
    for (int server = 0; server < connections.length(); server++) {
      Optional<PeerConnection> reached = find(server);
      if (reached.isPresent()) {
        Caller caller = reached.get().caller();
        try {
          if (caller.call(new Request.Peers(), Reply.Peers.class).reached().contains(lost)) {
            return new Witnesses(Optional.of(caller.server()), true);
          }
        } catch (IOException e) {
          LOG.warn("{} does not say whom it reaches, and is asked again", caller.server(), e);
          complete = false;
        }
      }
    }
    return new Witnesses(Optional.empty(), complete);
  }

  private void settleLater(int server) {
    if (isLost(server) && underWay.get(server).compareAndSet(false, true)) {
      probing.execute(
          () -> {
            try {
              settle(server);
            } finally {
              underWay.get(server).set(false);
            }
          });
    }
  }

  /** Whether the pool has a server of that number beside this one. */
  boolean isOther(int server) {
    return server >= 0 && server < connections.length() && server != options.number();
  }

  /** Whether a server lives. */
  boolean isUp(int server) {
    return find(server).isPresent();
  }

  /** The way to a server; empty when it does not live, or is none (-1). */
  Optional<PeerConnection> find(int server) {
    return server < 0
        ? Optional.empty()
        : Optional.ofNullable(connections.get(server))
            .filter(connection -> connection.caller().isOpen());
  }

  /**
   * The way to a server that lives.
   *
   * @throws ServerUnavailableException when it does not
   */
  PeerConnection connection(int server) throws ServerUnavailableException {
    return find(server)
        .orElseThrow(
            () ->
                new ServerUnavailableException(
                    "Pool server " + options.servers().get(server) + " is down.", null));
  }

  /** Asks each server for a sign of life; one that gives none until the deadline is lost. */
  void ping() {
    for (int server = 0; server < connections.length(); server++) {
      find(server).ifPresent(connection -> connection.ping(options.deadline()));
      settleLater(server);
    }
  }

  @Override
  public void close() {
    for (int server = 0; server < connections.length(); server++) {
      PeerConnection connection = connections.getAndSet(server, null);
      if (connection != null) {
        connection.caller().close();
      }
    }
  }
}
