// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.pool;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.tez.container.ContainerSizes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The pool of remote memory of an application on a cluster. A block in it has to outlive the
 * container that wrote it, so it belongs to a lease that the application master holds ({@link
 * MasterLease}): it goes when its job has ended and the client deletes the job's directory, or with
 * the application, whatever becomes of the client. The application's containers learn of the pool
 * from its configuration, and of the pool's secret from its credentials, which YARN hands to nobody
 * else.
 *
 * @param servers all its servers
 * @param transport the transport's name; empty for the best that works on each node
 * @param lease whose end is the end of the application's blocks
 * @param buffers that a container has, of a page of the pool each
 * @param caches what a container keeps of what it has read
 */
public record ClusterPool(
    List<ServerAddress> servers,
    Optional<String> transport,
    UUID lease,
    int buffers,
    CacheOptions caches) {

  private static final String SERVERS = "anemone.pool.servers";
  private static final String TRANSPORT = "anemone.pool.transport";
  private static final String LEASE = "anemone.pool.lease";
  private static final String BUFFERS = "anemone.pool.buffers";
  private static final String CACHED_NAMES = "anemone.pool.cached.names.bytes";
  private static final String CACHED_PAGES = "anemone.pool.cached.pages.bytes";
  private static final String CACHED_MILLIS = "anemone.pool.cached.millis";
  private static final Text TOKEN = new Text("anemone.pool.token");

  /** A task writes to a few links at a time, and each writer has a buffer. */
  private static final int LEAST_BUFFERS = 8;

  private static final int MOST_BUFFERS = 32;

  /** How often a job's directory is looked at until it is empty. */
  private static final int REMOVALS = 10;

  public ClusterPool {
    servers = List.copyOf(servers);
  }

  /**
   * The pool for an application that is about to start. Asks the pool how large its pages are.
   *
   * @param container of the application's tasks; half of its direct memory that is neither the data
   *     plane's nor for copies of pages may go to buffers
   * @throws IOException when the pool cannot be used, or its pages are too large
   */
  public static ClusterPool of(StoreOptions.RemoteMemory options, ContainerSizes container)
      throws IOException {
    long others = ((long) container.directMb() << 20) - container.offHeapBytes();
    long room = (others - options.caches().pageBytes()) / 2;
    int pageBytes;
    try (PoolConnection connection = connectAsClient(options)) {
      pageBytes = connection.client().pageBytes();
    }
    if (room / pageBytes < LEAST_BUFFERS) {
      throw new IOException(
          "an executor of "
              + container.memoryMb()
              + " MB has "
              + room
              + " bytes for buffers of the memory pool, which has pages of "
              + pageBytes
              + " bytes, and "
              + LEAST_BUFFERS
              + " buffers are needed; take larger executors, or start the pool with smaller pages");
    }
    return new ClusterPool(
        options.servers(),
        options.transport(),
        UUID.randomUUID(),
        (int) Math.min(MOST_BUFFERS, room / pageBytes),
        options.caches());
  }

  /** The pool of the application that has this configuration, if it uses one. */
  public static Optional<ClusterPool> in(Configuration application) {
    return Optional.ofNullable(application.get(SERVERS))
        .map(
            servers ->
                new ClusterPool(
                    ServerAddress.parseList(servers),
                    Optional.ofNullable(application.get(TRANSPORT)),
                    UUID.fromString(application.get(LEASE)),
                    application.getInt(BUFFERS, LEAST_BUFFERS),
                    caches(application)));
  }

  private static CacheOptions caches(Configuration application) {
    CacheOptions usual = CacheOptions.NAMES;
    return new CacheOptions(
        application.getLong(CACHED_NAMES, usual.metadataBytes()),
        application.getLong(CACHED_PAGES, usual.pageBytes()),
        Duration.ofMillis(application.getLong(CACHED_MILLIS, usual.idle().toMillis())));
  }

  /** Lets the containers of an application know. */
  public void writeTo(Configuration application) {
    application.set(
        SERVERS, servers.stream().map(ServerAddress::toString).collect(Collectors.joining(",")));
    transport.ifPresent(name -> application.set(TRANSPORT, name));
    application.set(LEASE, lease.toString());
    application.setInt(BUFFERS, buffers);
    application.setLong(CACHED_NAMES, caches.metadataBytes());
    application.setLong(CACHED_PAGES, caches.pageBytes());
    application.setLong(CACHED_MILLIS, caches.idle().toMillis());
  }

  /**
   * What the master and the tasks of an application need to use the pool.
   *
   * @throws IOException when the file with the secret cannot be read
   */
  public static Credentials credentials(StoreOptions.RemoteMemory options) throws IOException {
    Credentials credentials = new Credentials();
    if (options.tokenFile().isPresent()) {
      String secret = Files.readString(options.tokenFile().get());
      credentials.addSecretKey(TOKEN, secret.getBytes(StandardCharsets.UTF_8));
    }
    return credentials;
  }

  /** Connects as the application master, by which the lease is held until the connection ends. */
  PoolConnection connectAsMaster() throws IOException {
    return PoolConnection.open(transport, options().withId(lease).withBuffers(1));
  }

  /**
   * Connects as a container; its blocks are the application master's.
   *
   * @throws IOException when the pool cannot be used; says which, and why
   */
  public PoolConnection connectAsContainer() throws IOException {
    return PoolConnection.open(
        transport, options().withOwner(lease).withBuffers(buffers).withCaches(caches));
  }

  private PoolClientOptions options() throws IOException {
    return PoolClientOptions.of(servers, tokenOfThisProcess().orElseGet(AccessToken::open));
  }

  /** The secret of the application's pool, in its containers; empty where there is none. */
  public static Optional<AccessToken> tokenOfThisProcess() throws IOException {
    byte[] secret = UserGroupInformation.getCurrentUser().getCredentials().getSecretKey(TOKEN);
    return Optional.ofNullable(secret)
        .map(bytes -> AccessToken.of(new String(bytes, StandardCharsets.UTF_8)));
  }

  /** Where the blocks of a job lie. */
  public static PoolPath directory(String jobId) {
    return PoolPath.of("/anemone/" + jobId);
  }

  /**
   * Deletes the blocks of a job that has ended, as its client.
   *
   * @throws IOException when the pool cannot be used, or tasks that were ended go on writing; the
   *     blocks go with the application then
   */
  public static void deleteBlocks(StoreOptions.RemoteMemory options, String jobId)
      throws IOException {
    try (PoolConnection connection = connectAsClient(options)) {
      removeDirectory(connection, directory(jobId));
    }
  }

  /** Again when an attempt that is being ended has committed a block meanwhile. */
  private static void removeDirectory(PoolConnection connection, PoolPath directory)
      throws IOException {
    for (int left = REMOVALS; ; left--) {
      try {
        connection.client().removeDirectory(directory, true);
        return;
      } catch (NoSuchFileException e) {
        return; // No task of the job has used the pool.
      } catch (DirectoryNotEmptyException e) {
        if (left == 1) {
          throw e;
        }
      }
    }
  }

  /**
   * Bytes that are free in a pool.
   *
   * @throws IOException when it cannot be used; says which, and why
   */
  public static long freeBytes(StoreOptions.RemoteMemory options) throws IOException {
    try (PoolConnection connection = connectAsClient(options)) {
      return connection.freeBytes();
    }
  }

  private static PoolConnection connectAsClient(StoreOptions.RemoteMemory options)
      throws IOException {
    return PoolConnection.open(
        options.transport(),
        PoolClientOptions.of(options.servers(), options.token()).withBuffers(1));
  }
}
