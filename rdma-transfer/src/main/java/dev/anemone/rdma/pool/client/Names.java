// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The name service, as a client sees it: each question goes to the primary of its directory, or to
 * the replica when the primary is dead. Thread-safe.
 */
final class Names {

  /** Between two tries. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** In which the holder of a lease finds a server that has come back. */
  private static final Duration LEASE_PATIENCE = Duration.ofSeconds(3);

  private final ServerConnections connections;
  private final HashRing ring;
  private final Duration deadline;

  Names(ServerConnections connections, HashRing ring, Duration deadline) {
    this.connections = connections;
    this.ring = ring;
    this.deadline = deadline;
  }

  /** What a path stands for. */
  Optional<NameEntry> find(PoolPath path) throws IOException {
    Reply.Found found = ask(path.parent(), new Request.Lookup(path.value()), Reply.Found.class);
    return found.entry().stream().findFirst();
  }

  /**
   * What a path stands for, and the last bytes of the object if the server that answers has them.
   */
  Reply.Opened open(PoolPath path, int tailBytes) throws IOException {
    Request.Open open = new Request.Open(path.value(), tailBytes);
    return ask(path.parent(), open, Reply.Opened.class);
  }

  /** The server that is asked first for the names in a directory. */
  int primary(PoolPath directory) {
    return ring.serversOf(directory).primary();
  }

  /** Writes a small object and makes it visible; returns it as it is. */
  StoredObject store(Request.Store store) throws IOException {
    PoolPath directory = PoolPath.of(store.object().path()).parent();
    return ask(directory, store, Reply.Stored.class).object();
  }

  /** Makes an object visible, for some time or, when that is zero, for ever. */
  void commit(StoredObject object, Duration keep) throws IOException {
    change(PoolPath.of(object.path()).parent(), new Request.Commit(object, keep.toMillis()));
  }

  /** Deletes an object; returns which, or none when the server that did it died with the answer. */
  List<ObjectId> delete(PoolPath path) throws IOException {
    return ask(path.parent(), new Request.Delete(path.value()), Reply.Removed.class).objects();
  }

  /**
   * Makes a directory: first its name, then its table, so that none has a table without a name.
   *
   * @param owner with whose lease it goes; empty for one that stays
   */
  void createDirectory(PoolPath directory, List<UUID> owner) throws IOException {
    change(directory.parent(), new Request.AddName(directory.value(), owner));
    change(directory, new Request.AddTable(directory.value(), owner));
  }

  /** Removes an empty directory: first its table. */
  void removeDirectory(PoolPath directory) throws IOException {
    change(directory, new Request.RemoveTable(directory.value()));
    ask(directory.parent(), new Request.RemoveName(directory.value()), Reply.Removed.class);
  }

  /** The names in a directory. */
  List<NameEntry> list(PoolPath directory) throws IOException {
    return ask(directory, new Request.ListNames(directory.value()), Reply.Names.class).entries();
  }

  private void change(PoolPath directory, Request request) throws IOException {
    ask(directory, request, Reply.Done.class);
  }

  /**
   * Asks the server that answers for a directory. While a server is dying or coming back, neither
   * of the two may answer for a moment: it asks again until the deadline. That none is there is
   * said only after both were looked for anew: one that was down a moment ago may have come back
   * when the other one dies. A server that comes back does not know the holder of the writer's
   * lease before that has found it, too.
   */
  private <T extends Reply> T ask(PoolPath directory, Request request, Class<T> type)
      throws IOException {
    HashRing.Pair pair = ring.serversOf(directory);
    long begin = System.nanoTime();
    long end = begin + deadline.toNanos();
    boolean begun = false;
    boolean anew = false;
    while (true) {
      IOException last = null;
      boolean again = false;
      for (int server : servers(pair)) {
        try {
          RemoteServer remote =
              anew ? connections.requireAnew(server) : connections.require(server);
          try {
            return remote.caller().call(request, type);
          } catch (ServerUnavailableException e) {
            begun = true;
            throw e;
          }
        } catch (ServerUnavailableException e) {
          last = e;
        } catch (NoSuchFileException e) {
          // The server that has just died had done it already, and its replica knows.
          if (begun && removes(request)) {
            return type.cast(new Reply.Removed(List.of()));
          }
          throw e;
        } catch (RefusedException e) {
          boolean leaseMayCome =
              e.reason() == Refusal.NO_LEASE
                  && System.nanoTime() - begin < LEASE_PATIENCE.toNanos();
          if (e.reason() != Refusal.NOT_RESPONSIBLE && !leaseMayCome) {
            throw e;
          }
          again = true;
          last = e;
        }
      }
      if ((!again && anew) || System.nanoTime() - end > 0) {
        throw new ServerUnavailableException(
            "No server answers for the names in " + directory + ": " + last.getMessage(), last);
      }
      anew = !again;
      if (again) {
        pause();
      }
    }
  }

  private static boolean removes(Request request) {
    return request instanceof Request.Delete || request instanceof Request.RemoveName;
  }

  private static List<Integer> servers(HashRing.Pair pair) {
    return pair.replica() < 0 ? List.of(pair.primary()) : List.of(pair.primary(), pair.replica());
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the pool's name service", e);
    }
  }
}
