// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectAttributes;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.FreePages;
import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A client of the remote memory pool. Data moves by one-sided reads and writes between this
 * process's registered memory and that of the servers; names are asked for by messages.
 *
 * <p><b>Leases.</b> The client keeps a lease on each server by heartbeats. When its connection to a
 * server ends, what it had not committed there is free at once. When it is closed, or has not been
 * connected for as long as the lease, its {@link Lifetime#LEASE} objects and directories whose
 * names that server answers for are deleted. Several processes can so share one lease: one holds
 * it, and the others name it as the {@linkplain PoolClientOptions#withOwner owner} of what they
 * write.
 *
 * <p><b>Caches.</b> Committed objects never change. A path that this client has deleted, or has
 * been told of as deleted, is never answered from a cache. What another client deletes can still be
 * opened here for about a quarter of a lease, no longer than a second, after which the servers have
 * told; reading it then either gives its right bytes, or is an {@link
 * dev.anemone.rdma.pool.ObjectDeletedException}. Bytes of another object are never given.
 *
 * <p>Thread-safe. Every method that asks servers fails with an {@link IOException} at the deadline
 * of the options at the latest, for each server that it asks.
 */
public final class PoolClient implements AutoCloseable {

  private final UUID id;
  private final UUID owner;

  /** The last object's number. The objects of one owner may have several writers. */
  private final AtomicLong objects = new AtomicLong(UUID.randomUUID().getMostSignificantBits());

  private final PoolClientOptions options;
  private final ServerConnections connections;
  private final ClientParts parts;
  private final Directories directories;
  private final Lookups lookups;

  private PoolClient(Transport transport, PoolClientOptions options) throws IOException {
    this.options = options;
    this.id = options.id().orElseGet(UUID::randomUUID);
    this.owner = options.owner().orElse(id);
    Placement placement = new Placement(options.servers().size());
    MetadataCache metadata = new MetadataCache(options.caches().metadataBytes());
    connections = new ServerConnections(transport, options, id, listener(placement, metadata));
    List<Buffers> registered = new ArrayList<>();
    try {
      int pageBytes = connections.connect();
      Buffers buffers = new Buffers(transport, options.buffers(), pageBytes);
      registered.add(buffers);
      Buffers generations = new Buffers(transport, PageReads.generationBuffers(), Long.BYTES);
      registered.add(generations);
      Optional<PageCopies> cache =
          options.caches().pageBytes() == 0
              ? Optional.empty()
              : Optional.of(new PageCopies(transport, options.caches(), pageBytes));
      Names names = new Names(connections, new HashRing(options.servers()), options.deadline());
      parts =
          new ClientParts(
              connections,
              names,
              placement,
              new SmallWrites(names, placement, Math.min(options.smallBytes(), pageBytes)),
              buffers,
              new PageReads(connections, options.deadline(), generations),
              new ClientParts.Caches(metadata, cache),
              pageBytes,
              options.deadline());
      directories = new Directories(parts, owner);
      lookups = new Lookups(parts, options.caches().metadataBytes() > 0);
      cache.ifPresent(copies -> connections.repeat(copies::expire));
    } catch (IOException | RuntimeException e) {
      try (ServerConnections begun = connections) {
        throw e;
      } finally {
        registered.forEach(Buffers::close);
      }
    }
  }

  private ServerConnections.Listener listener(Placement placement, MetadataCache metadata) {
    return new ServerConnections.Listener() {
      @Override
      public void free(int server, FreePages pages) {
        placement.free(server, pages);
      }

      @Override
      public void removed(List<ObjectId> objects) {
        Set<ObjectId> ids = Set.copyOf(objects);
        metadata.remove(ids);
        pageCopies().ifPresent(cache -> cache.remove(ids));
      }

      @Override
      public void anyRemoved() {
        metadata.clear();
        pageCopies().ifPresent(PageCopies::clear);
      }
    };
  }

  /** Empty also before the client is connected. */
  private Optional<PageCopies> pageCopies() {
    return parts == null ? Optional.empty() : parts.caches().pages();
  }

  /**
   * Connects to the servers of a pool that are there.
   *
   * @param transport stays the caller's, who closes it after the client
   * @throws dev.anemone.rdma.pool.AccessRefusedException when the token is wrong, or a server knows
   *     another pool
   * @throws IOException when no server is there
   */
  public static PoolClient connect(Transport transport, PoolClientOptions options)
      throws IOException {
    return new PoolClient(transport, options);
  }

  /** Who this client is. Its objects' ids begin with it, unless they have another owner. */
  public UUID id() {
    return id;
  }

  /** Bytes of registered memory that copies of pages, and what waits for more of them, take now. */
  public long cachedBytes() {
    return pageCopies().map(PageCopies::memoryBytes).orElse(0L);
  }

  /** The size of the pool's pages, bytes: objects are best multiples of it. */
  public int pageBytes() {
    return parts.pageBytes();
  }

  /**
   * Begins an object in the fastest tier that has room on any server.
   *
   * @return to be closed by the caller, after the commit
   * @throws FileAlreadyExistsException when something has the path
   * @throws NoSuchFileException when its directory is not there
   */
  public ObjectWriter create(PoolPath path, Lifetime lifetime) throws IOException {
    return create(path, ObjectSettings.of(lifetime));
  }

  /**
   * The same for an object that is to lie in a tier, or, where no server has room in it, in one of
   * the tiers after it; never in a faster one.
   */
  public ObjectWriter create(PoolPath path, Lifetime lifetime, TierKind tier) throws IOException {
    return create(path, ObjectSettings.of(lifetime).withTier(tier));
  }

  /**
   * Begins an object.
   *
   * @return to be closed by the caller, after the commit
   * @throws FileAlreadyExistsException when something has the path that the object may not replace
   * @throws NoSuchFileException when its directory is not there
   */
  public ObjectWriter create(PoolPath path, ObjectSettings settings) throws IOException {
    boolean taken =
        !path.isRoot()
            && parts
                .names()
                .find(path)
                .filter(there -> !(settings.replaces() && there instanceof NameEntry.OfObject))
                .isPresent();
    if (taken) {
      throw exists(path);
    }
    return begin(path, settings);
  }

  private static FileAlreadyExistsException exists(PoolPath path) {
    return new FileAlreadyExistsException(path.value(), null, "the pool has this name already");
  }

  private ObjectWriter begin(PoolPath path, ObjectSettings settings) throws IOException {
    if (path.isRoot()) {
      throw exists(path);
    }
    ObjectId object = new ObjectId(owner, objects.incrementAndGet());
    return new ObjectWriter(parts, path, object, settings, this::status);
  }

  /**
   * Writes an object and makes it visible: where it is {@linkplain PoolClientOptions#smallBytes
   * small}, by one question to one server.
   *
   * @param bytes all that remains is written
   * @throws dev.anemone.rdma.pool.PoolFullException when no server has room for it
   * @throws FileAlreadyExistsException when something has the path that the object may not replace
   * @throws NoSuchFileException when its directory is not there
   */
  public ObjectAttributes put(PoolPath path, ByteBuffer bytes, ObjectSettings settings)
      throws IOException {
    try (ObjectWriter writer = begin(path, settings)) {
      writer.write(bytes);
      return writer.commit();
    }
  }

  /**
   * Opens a committed object.
   *
   * @throws NoSuchFileException when there is none
   */
  public ObjectReader open(PoolPath path) throws IOException {
    return open(path, ReadObserver.UNCOUNTED);
  }

  /**
   * The same, and tells whether a server was asked for the name, what the reader reads, and how it
   * uses copies of pages.
   */
  public ObjectReader open(PoolPath path, ReadObserver observer) throws IOException {
    return lookups.open(path, observer, 0);
  }

  /**
   * The same; if a server is asked for the name and has the object's last page, too, its answer
   * brings the last bytes with it. The reader keeps these, and reads in them cost nothing. Of use
   * for objects with an index at their end, and for small ones. A client that keeps copies of pages
   * does not ask for them, as it reads whole pages.
   *
   * @param tailBytes how many bytes at most; a server gives no more than a message holds
   */
  public ObjectReader open(PoolPath path, ReadObserver observer, int tailBytes) throws IOException {
    return lookups.open(path, observer, tailBytes);
  }

  /**
   * All bytes of an object; of a small one by one question to one server, as a rule.
   *
   * @throws NoSuchFileException when there is none
   * @throws IOException as {@link ObjectReader#read(long, ByteBuffer)}, and when there are more
   *     than 2 GB
   */
  public ByteBuffer get(PoolPath path) throws IOException {
    ObjectReader reader = open(path, ReadObserver.UNCOUNTED, options.smallBytes());
    if (reader.length() > Integer.MAX_VALUE - Long.BYTES) {
      throw new IOException(path + " has " + reader.length() + " bytes: read it in parts");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
    reader.read(0, bytes);
    return bytes.flip();
  }

  /**
   * What the pool knows of an object. It does not read the object, which can be lost.
   *
   * @throws NoSuchFileException when there is none
   */
  public ObjectAttributes getAttributes(PoolPath path) throws IOException {
    return parts.attributes(lookups.find(path, ReadObserver.UNCOUNTED));
  }

  /**
   * Deletes an object. When this returns, its pages are free on all servers that live.
   *
   * @throws NoSuchFileException when there is none
   */
  public void delete(PoolPath path) throws IOException {
    parts.delete(path);
  }

  /**
   * Makes a directory that stays, and those that it lies in, as far as they are not there.
   *
   * @throws FileAlreadyExistsException when an object has the path of one of them
   */
  public void createDirectory(PoolPath directory) throws IOException {
    createDirectory(directory, Lifetime.POOL);
  }

  /**
   * Makes a directory, and those that it lies in, as far as they are not there.
   *
   * @param lifetime of the directory itself; those that it lies in stay. One that is {@link
   *     Lifetime#LEASE} goes with the lease that this client's objects go with, and can hold only
   *     what goes with the same lease
   * @throws FileAlreadyExistsException when an object has the path of one of them
   */
  public void createDirectory(PoolPath directory, Lifetime lifetime) throws IOException {
    directories.create(directory, lifetime);
  }

  /**
   * Removes a directory.
   *
   * @param recursive whether all that it holds is deleted first
   * @throws java.nio.file.DirectoryNotEmptyException when it holds something, or an object in it is
   *     being committed
   * @throws NoSuchFileException when there is no such directory
   */
  public void removeDirectory(PoolPath directory, boolean recursive) throws IOException {
    directories.remove(directory, recursive);
  }

  /**
   * What a directory holds, in the order of the names.
   *
   * @throws NoSuchFileException when there is no such directory
   */
  public List<PoolEntry> list(PoolPath directory) throws IOException {
    return directories.list(directory);
  }

  /** Whether there is such a directory. */
  public boolean isDirectory(PoolPath path) throws IOException {
    return directories.isDirectory(path);
  }

  /** How full the servers are that are there. */
  public List<ServerStatus> status() {
    List<ServerStatus> all = new ArrayList<>();
    connections.forEachLive(
        server -> {
          ServerStatus status =
              server.caller().call(new Request.Status(), Reply.Full.class).status();
          int pageBytes = server.caller().welcome().pageBytes();
          parts.placement().free(server.number(), FreePages.of(status, pageBytes));
          all.add(status);
        });
    return List.copyOf(all);
  }

  /**
   * Ends a server; what it alone held is lost.
   *
   * @param operator the token of those who may, which is not that of clients
   * @throws dev.anemone.rdma.pool.AccessRefusedException when it is another one
   * @throws IOException when it is not there
   */
  public void stop(ServerAddress server, AccessToken operator) throws IOException {
    order(server, operator, Request.Stop::new);
  }

  /**
   * Drains a server: it takes no more objects, and ends when it has none and no name that it alone
   * knows. What it holds can be read until then; who writes on it already may commit.
   *
   * @throws IOException as {@link #stop}
   */
  public void drain(ServerAddress server, AccessToken operator) throws IOException {
    order(server, operator, Request.Drain::new);
  }

  private void order(ServerAddress server, AccessToken operator, Function<String, Request> order)
      throws IOException {
    Caller caller = connections.require(options.servers().indexOf(server)).caller();
    String proof = caller.proof(operator, AccessToken.Side.OPERATOR);
    caller.call(order.apply(proof), Reply.Done.class);
  }

  /**
   * Ends the leases: what was not committed, and this client's {@link Lifetime#LEASE} objects, go
   * away. Memory that was registered by the caller is no longer used when this returns.
   */
  @Override
  public void close() {
    try {
      connections.close();
    } finally {
      parts.buffers().close();
      parts.reads().close();
      parts.caches().pages().ifPresent(PageCopies::close);
    }
  }
}
