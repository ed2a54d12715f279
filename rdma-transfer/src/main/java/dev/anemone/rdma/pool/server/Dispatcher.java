// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries requests out: those that need nobody else on the thread of the network, the others, which
 * wait for other servers, on threads of the server's. What servers ask of each other is all of the
 * first kind, so that servers cannot wait for each other in a circle. Thread-safe.
 */
final class Dispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final Reply DONE = new Reply.Done();

  private final NameService names;
  private final SmallObjects small;
  private final PageTable pages;
  private final PageFiles files;
  private final PageOwners owners;
  private final RemovalLog removals;
  private final Executor waiting;
  private final Supplier<ServerStatus> status;
  private final Supplier<Reply.Peers> peers;
  private final Runnable stop;

  Dispatcher(
      NameService names,
      SmallObjects small,
      PageTable pages,
      PageFiles files,
      PageOwners owners,
      RemovalLog removals,
      Executor waiting,
      Supplier<ServerStatus> status,
      Supplier<Reply.Peers> peers,
      Runnable stop) {
    this.names = names;
    this.small = small;
    this.pages = pages;
    this.files = files;
    this.owners = owners;
    this.removals = removals;
    this.waiting = waiting;
    this.status = status;
    this.peers = peers;
    this.stop = stop;
  }

  /** Carries a request out, and answers it. */
  void handle(AcceptedConnection connection, long call, Request request) {
    if (request instanceof Request.ReadPage || request instanceof Request.WritePage) {
      files.execute(connection, request, () -> connection.reply(call, answer(connection, request)));
    } else if (request instanceof Request.Stop) {
      waiting.execute(() -> stopAfterAnswer(connection, call, request));
    } else if (waits(request)) {
      waiting.execute(() -> connection.reply(call, answer(connection, request)));
    } else {
      connection.reply(call, answer(connection, request));
    }
  }

  /** All connections end with the server, and whoever has stopped it is to know. */
  private void stopAfterAnswer(AcceptedConnection connection, long call, Request request) {
    Reply answer = answer(connection, request);
    connection.reply(call, answer, answer == DONE ? stop : () -> {});
  }

  /** A client has no connection any longer. */
  void clientGone(UUID client) {
    waiting.execute(
        () -> {
          try {
            names.owned().remove(Set.of(client));
          } catch (RuntimeException e) {
            // The lease keeper finds them again.
            LOG.warn("names of client {}, which is gone, are still there", client, e);
          }
        });
  }

  private static boolean waits(Request request) {
    return request instanceof Request.Commit
        || request instanceof Request.Store
        || request instanceof Request.Delete
        || request instanceof Request.AddName
        || request instanceof Request.RemoveName
        || request instanceof Request.AddTable
        || request instanceof Request.RemoveTable
        || request instanceof Request.Join;
  }

  private Reply answer(AcceptedConnection connection, Request request) {
    try {
      return connection.isPeer() ? ofServer(connection, request) : ofClient(connection, request);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return new Reply.Refused(Refusal.FAILED, "", e.getMessage());
    } catch (IOException e) {
      return Refusal.reply(e);
    } catch (RuntimeException e) {
      // Who asked must not wait for an answer that does not come.
      LOG.error("a {} failed", request.getClass().getSimpleName(), e);
      return new Reply.Refused(Refusal.FAILED, "", "an error of the server: " + e);
    }
  }

  private Reply ofServer(AcceptedConnection connection, Request request) throws IOException {
    if (request instanceof Request.Join) {
      names.copies().give(connection.server(), connection.incarnation());
    } else if (request instanceof Request.Apply apply) {
      names.apply(apply.change());
    } else if (request instanceof Request.Seal seal) {
      owners.seal(seal);
    } else if (request instanceof Request.Free free) {
      pages.free(free.id());
    } else if (request instanceof Request.Exist exist) {
      return new Reply.Existing(names.existing(exist.objects()));
    } else if (request instanceof Request.Peers) {
      return peers.get();
    } else {
      throw unexpected(request);
    }
    return DONE;
  }

  private Reply ofClient(AcceptedConnection connection, Request request) throws IOException {
    if (request instanceof Request.Heartbeat heartbeat) {
      return removals.since(heartbeat.removals(), pages.freePages());
    } else if (request instanceof Request.Allocate allocate) {
      return pages.allocate(connection, allocate.first(), allocate.last());
    } else if (request instanceof Request.ReadPage read) {
      return files.read(read);
    } else if (request instanceof Request.Lookup lookup) {
      return new Reply.Found(names.find(PoolPath.of(lookup.path())).stream().toList());
    } else if (request instanceof Request.Open open) {
      Optional<NameEntry> entry = names.find(PoolPath.of(open.path()));
      int most = Math.min(open.tailBytes(), connection.messageBytes());
      return new Reply.Opened(entry.stream().toList(), small.tail(entry, most));
    } else if (request instanceof Request.Store store) {
      StoredObject object = stamped(store.object(), store.keepMillis());
      return new Reply.Stored(small.store(object, store.first(), store.last(), store.bytes()));
    } else if (request instanceof Request.ListNames list) {
      return new Reply.Names(names.list(PoolPath.of(list.directory())));
    } else if (request instanceof Request.Status) {
      return new Reply.Full(status.get());
    } else if (request instanceof Request.Peers) {
      return peers.get();
    } else if (request instanceof Request.Delete delete) {
      return new Reply.Removed(List.of(names.delete(PoolPath.of(delete.path()))));
    } else if (request instanceof Request.RemoveName remove) {
      names.removeName(PoolPath.of(remove.directory()));
      return new Reply.Removed(List.of());
    }
    change(connection, request);
    return DONE;
  }

  private void change(AcceptedConnection connection, Request request) throws IOException {
    if (request instanceof Request.Leave) {
      connection.leave();
    } else if (request instanceof Request.Release release) {
      pages.release(connection, release.pages());
    } else if (request instanceof Request.WritePage write) {
      files.write(connection, write);
    } else if (request instanceof Request.Commit commit) {
      names.commit(stamped(commit.object(), commit.keepMillis()));
    } else if (request instanceof Request.AddName add) {
      names.addName(PoolPath.of(add.directory()), add.owner().stream().findFirst());
    } else if (request instanceof Request.AddTable add) {
      names.addTable(PoolPath.of(add.directory()), add.owner().stream().findFirst());
    } else if (request instanceof Request.RemoveTable remove) {
      names.removeTable(PoolPath.of(remove.directory()));
    } else if (request instanceof Request.Stop asked) {
      connection.requireOperator(asked.proof());
    } else if (request instanceof Request.Drain asked) {
      connection.requireOperator(asked.proof());
      pages.drain();
    } else {
      throw unexpected(request);
    }
  }

  private static StoredObject stamped(StoredObject object, long keep) throws RefusedException {
    long now = System.currentTimeMillis();
    if (keep < 0) {
      throw new RefusedException(
          Refusal.FAILED, object.path() + " cannot be kept for " + keep + " ms");
    }
    return new StoredObject(
        object.id(),
        object.path(),
        object.length(),
        now,
        keep == 0 ? 0 : now + Math.min(keep, Long.MAX_VALUE / 2),
        object.lifetime(),
        List.copyOf(object.pages()));
  }

  private static RefusedException unexpected(Request request) {
    return new RefusedException(
        Refusal.FAILED, "this side may not ask for " + request.getClass().getSimpleName());
  }
}
