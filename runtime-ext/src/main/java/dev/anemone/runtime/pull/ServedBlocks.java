// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.OneByOne;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.CopiedBlock;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.FetchWay;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.runtime.transfer.fetch.RemotePartition;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches blocks of a job from the {@link BlockServer}s of their nodes, and from the nodes' shuffle
 * handlers where there is no server, or it does not have them. A node is asked once where its
 * server listens. When a server has failed, its node's handler is asked for the rest of the job: an
 * executor may end at any time, and the handler stays. So no block is lost with its server, and
 * whether one is lost at all the handler says. Thread-safe.
 */
public final class ServedBlocks implements RemoteBlocks, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(ServedBlocks.class);

  /** Who reads is said to nobody; an executor reads for tasks that come and go. */
  private static final Producer NOBODY = new Producer(0, 0);

  private final RemoteBlocks handlers;
  private final Transport transport;
  private final String jobId;
  private final JobSecret secret;
  private final BlockId notice;
  private final BlockCopies copies;
  private final FetchSettings settings;
  private final Map<BlockLocation, Node> nodes = new ConcurrentHashMap<>();

  /** Memory that nobody uses; guarded by this, as whether it is closed. */
  private final Deque<MemoryRegion> idleMemory = new ArrayDeque<>();

  private boolean closed;

  /** What is known of a node. */
  private static final class Node {

    private boolean known;
    private Optional<ServerNotice> server = Optional.empty();

    /** Open, and used by nobody. */
    private final Deque<ServerConnection> idle = new ArrayDeque<>();
  }

  /**
   * Blocks of a job.
   *
   * @param handlers get what does not come from servers; not closed with this
   * @param transport must stay open as long as this; not closed with it
   * @param notice see {@link BlockServer#serve}
   * @param copies takes what comes
   */
  public ServedBlocks(
      RemoteBlocks handlers,
      Transport transport,
      String jobId,
      JobSecret secret,
      BlockId notice,
      BlockCopies copies,
      FetchSettings settings) {
    this.handlers = handlers;
    this.transport = transport;
    this.jobId = jobId;
    this.secret = secret;
    this.notice = notice;
    this.copies = copies;
    this.settings = settings;
  }

  @Override
  public BlockReader fetch(
      BlockLocation location, BlockId id, BitSet wanted, ReadStatistics statistics)
      throws IOException {
    Optional<ServerNotice> server = server(location);
    if (server.isPresent()) {
      try {
        return read(location, server.get(), id, wanted, statistics);
      } catch (UnservedException e) {
        LOG.warn(
            "Block {} of {} is asked for over HTTP, as by {}: {}",
            id,
            location,
            transport.name(),
            e.getMessage());
        if (!e.isOfBlock()) {
          forget(location);
        }
      }
    }
    return handlers.fetch(location, id, wanted, statistics);
  }

  @Override
  public void fetchAll(BlockLocation location, List<Wanted> blocks, Arrivals arrivals) {
    OneByOne served = new OneByOne(this, location, arrivals);
    int next = 0;
    while (next < blocks.size() && isServed(location)) {
      if (!served.fetch(next, blocks.get(next))) {
        for (int left = next + 1; left < blocks.size(); left++) {
          arrivals.notTried(left);
        }
        return;
      }
      next++;
    }
    if (next < blocks.size()) {
      handlers.fetchAll(location, blocks.subList(next, blocks.size()), new Behind(next, arrivals));
    }
  }

  /** Arrivals of blocks that come behind others in a list. */
  private record Behind(int others, Arrivals all) implements Arrivals {

    @Override
    public void arrived(int number, BlockReader block) {
      all.arrived(others + number, block);
    }

    @Override
    public void failed(int number, IOException failure) {
      all.failed(others + number, failure);
    }

    @Override
    public void notTried(int number) {
      all.notTried(others + number);
    }
  }

  @Override
  public boolean reaches(BlockLocation location) {
    return handlers.reaches(location);
  }

  /**
   * Whether a node has a server; what its handler cannot say now it will say of the blocks, too.
   */
  private boolean isServed(BlockLocation location) {
    try {
      return server(location).isPresent();
    } catch (IOException e) {
      LOG.debug("{} does not say whether it has a server", location, e);
      return false;
    }
  }

  /**
   * The server of a node, if there is one by this transport.
   *
   * @throws HostFailureException when the node does not say it now
   */
  private Optional<ServerNotice> server(BlockLocation location) throws IOException {
    Node node = nodes.computeIfAbsent(location, key -> new Node());
    synchronized (node) {
      if (!node.known) {
        node.server = ask(location);
        node.known = true;
      }
      return node.server;
    }
  }

  private Optional<ServerNotice> ask(BlockLocation location) throws IOException {
    BitSet whole = new BitSet();
    whole.set(0);
    try (BlockReader block = handlers.fetch(location, notice, whole, new ReadStatistics())) {
      return ServerNotice.read(block).filter(of -> of.transport().equals(transport.name()));
    } catch (IOException e) {
      if (!OneByOne.concernsOneBlock(e)) {
        throw e;
      }
      LOG.info("{} has no server by {}: {}", location, transport.name(), e.getMessage());
      return Optional.empty();
    }
  }

  private void forget(BlockLocation location) throws IOException {
    Node node = nodes.get(location);
    List<ServerConnection> closing;
    synchronized (node) {
      node.server = Optional.empty();
      closing = List.copyOf(node.idle);
      node.idle.clear();
    }
    CloseAll.of(closing);
  }

  private BlockReader read(
      BlockLocation location,
      ServerNotice server,
      BlockId id,
      BitSet wanted,
      ReadStatistics statistics)
      throws IOException {
    try (CopiedBlock copy = copies.begin(id, wanted)) {
      read(location, server, copy);
      BlockReader block = copy.finish(FetchWay.TRANSPORT);
      wanted.stream()
          .forEach(
              partition ->
                  statistics.count(
                      new RemotePartition(location, id, partition),
                      0,
                      block.index().storedLength(partition)));
      return block;
    }
  }

  private void read(BlockLocation location, ServerNotice server, CopiedBlock copy)
      throws IOException {
    MemoryRegion memory = takeMemory();
    ServerConnection connection;
    try {
      connection = connect(location, server);
    } catch (IOException e) {
      giveMemory(memory);
      throw e;
    }
    boolean whole = false;
    try {
      connection.read(copy, memory);
      whole = true;
    } finally {
      if (whole) {
        giveMemory(memory);
        keep(location, connection);
      } else {
        connection.close();
        if (connection.awaitClosed()) {
          giveMemory(memory);
        } else {
          LOG.warn(
              "{} bytes of memory are lost: a read from {} goes on, though its connection was"
                  + " closed",
              PullProtocol.CONNECTION_BYTES,
              location);
        }
      }
    }
  }

  private ServerConnection connect(BlockLocation location, ServerNotice server) throws IOException {
    Node node = nodes.get(location);
    synchronized (node) {
      while (!node.idle.isEmpty()) {
        ServerConnection idle = node.idle.pop();
        if (idle.isOpen()) {
          return idle;
        }
      }
    }
    return ServerConnection.open(
        transport,
        new InetSocketAddress(location.host(), server.port()),
        new SenderHandshake(secret, new Hello(jobId, server.serverId(), NOBODY)),
        settings);
  }

  private void keep(BlockLocation location, ServerConnection connection) {
    Node node = nodes.get(location);
    synchronized (node) {
      if (node.server.isPresent()) {
        node.idle.push(connection);
        return;
      }
    }
    connection.close();
  }

  private MemoryRegion takeMemory() throws IOException {
    synchronized (this) {
      if (closed) {
        throw new UnservedException("the job has ended");
      }
      if (!idleMemory.isEmpty()) {
        return idleMemory.pop();
      }
    }
    try {
      return transport.allocate(PullProtocol.CONNECTION_BYTES);
    } catch (IOException e) {
      throw new UnservedException("there is no memory here to read into: " + e.getMessage(), e);
    }
  }

  private void giveMemory(MemoryRegion memory) {
    synchronized (this) {
      if (!closed) {
        idleMemory.push(memory);
        return;
      }
    }
    memory.close();
  }

  /** Ends the connections that nobody uses, and others when their block has come. */
  @Override
  public void close() throws IOException {
    List<Closeable> closing = new ArrayList<>();
    synchronized (this) {
      closed = true;
      idleMemory.forEach(memory -> closing.add(memory::close));
      idleMemory.clear();
    }
    for (BlockLocation location : nodes.keySet()) {
      forget(location);
    }
    CloseAll.of(closing);
  }
}
