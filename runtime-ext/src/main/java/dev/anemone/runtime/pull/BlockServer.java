// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Serves the blocks of a job that lie on this node by a transport, to whoever knows the job's
 * secret. It serves one job after the other, to as many peers at a time as {@link
 * FetchSettings#nodesAtOnce} says, and has {@link PullProtocol#CONNECTION_BYTES} of registered
 * memory for each of these. Others wait for their turn. Thread-safe.
 */
public final class BlockServer implements Acceptor, AutoCloseable {

  private final Transport transport;
  private final JobSecret secret;
  private final FetchSettings settings;
  private final String id = UUID.randomUUID().toString();
  private final MemoryRegion memory;
  private final ExecutorService readers;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          new DefaultThreadFactory("anemone-pull-timer", true));

  /**
   * Where readers put pieces: each {@link PullProtocol#CONNECTION_BYTES} from here in the memory.
   */
  private final Lanes lanes;

  private final Listener listener;

  /** Guarded by this, as the job and whether it is closed. */
  private final Set<ServerSession> sessions = new HashSet<>();

  private Optional<Served> served = Optional.empty();
  private boolean closed;

  /** A job and its blocks. */
  private record Served(String jobId, BlockStore blocks) {}

  /**
   * Listens on a free port, and serves nothing yet.
   *
   * @param transport must stay open as long as this; not closed with it
   * @param secret what those that may read know
   * @throws IOException when there is no memory, or it cannot listen there
   */
  public BlockServer(
      Transport transport, InetAddress bind, JobSecret secret, FetchSettings settings)
      throws IOException {
    this.transport = transport;
    this.secret = secret;
    this.settings = settings;
    this.lanes = new Lanes(settings.nodesAtOnce());
    this.memory = transport.allocate(settings.nodesAtOnce() * PullProtocol.CONNECTION_BYTES);
    this.readers =
        Executors.newFixedThreadPool(
            settings.nodesAtOnce(), new DefaultThreadFactory("anemone-pull-server", true));
    try {
      this.listener = transport.listen(new InetSocketAddress(bind, 0), this);
    } catch (IOException e) {
      memory.close();
      stopThreads();
      throw e;
    }
  }

  /**
   * Serves the blocks of a job, and of no other one from now on. Tells it to other nodes by a block
   * that its shuffle handler hands out.
   *
   * @param blocks those that lie here
   * @param notice the name of that block; the same on all nodes
   * @throws IOException when the notice cannot be written
   */
  public void serve(String jobId, BlockStore blocks, BlockId notice) throws IOException {
    List<ServerSession> ofOthers;
    synchronized (this) {
      served = Optional.of(new Served(jobId, blocks));
      ofOthers = List.copyOf(sessions);
    }
    ofOthers.forEach(session -> session.end("another job has begun"));
    new ServerNotice(transport.name(), listener.address().getPort(), id).publish(blocks, notice);
  }

  @Override
  public synchronized MessageHandler accept(Connection connection) {
    if (closed) {
      throw new IllegalStateException("the server of blocks is closed");
    }
    ServerSession session = new ServerSession(this, connection);
    sessions.add(session);
    return session;
  }

  synchronized void ended(ServerSession session) {
    sessions.remove(session);
  }

  /**
   * The blocks that a peer wants to read.
   *
   * @throws RefusedException when they are those of another job, or of another server
   */
  synchronized BlockStore blocks(Hello hello) throws RefusedException {
    if (!hello.receiverId().equals(id)) {
      throw new RefusedException(Refusal.RECEIVER);
    }
    return served
        .filter(job -> job.jobId().equals(hello.jobId()))
        .map(Served::blocks)
        .orElseThrow(() -> new RefusedException(Refusal.JOB));
  }

  JobSecret secret() {
    return secret;
  }

  FetchSettings settings() {
    return settings;
  }

  MemoryRegion memory() {
    return memory;
  }

  Lanes lanes() {
    return lanes;
  }

  ExecutorService readers() {
    return readers;
  }

  /** For deadlines; its tasks must not wait. */
  ScheduledExecutorService timer() {
    return timer;
  }

  /** Ends what is served. */
  @Override
  public void close() {
    List<ServerSession> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(sessions);
    }
    listener.close();
    open.forEach(session -> session.end("the executor ends"));
    stopThreads();
    memory.close();
  }

  private void stopThreads() {
    readers.shutdownNow();
    timer.shutdownNow();
  }
}
