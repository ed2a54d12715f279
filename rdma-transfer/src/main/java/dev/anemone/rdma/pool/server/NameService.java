// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.NameChange;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Request.Named;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.NameChanges.Replication;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/**
 * This server's share of the pool's names. The names in a directory are on two servers ({@link
 * HashRing}); the primary answers, and makes each change on the replica before it says that it is
 * done; when the primary is dead, the replica answers. So names survive the loss of one server.
 *
 * <p>A commit first hands the pages from their writer to the object, on each server that holds
 * some, and then makes the name. What dies in between leaves pages without a name, which {@link
 * Reconciliation} finds.
 *
 * <p>Thread-safe. Methods that change names wait for other servers, no longer than the deadline.
 */
final class NameService {

  private final int self;
  private final HashRing ring;
  private final Peers peers;
  private final PageOwners pages;
  private final Predicate<UUID> isLive;
  private final CommitCheck check;
  private final Namespace names = new Namespace();
  private final NameChanges changes;
  private final OwnedNames owned;
  private final NameCopies copies;
  private final NameCounts counts = new NameCounts();
  private final Map<String, Attempt> pending = new HashMap<>();
  private boolean open;

  /**
   * Without a name, and not answering yet.
   *
   * @param isLive whether a client is connected to this server
   * @param check what an object must be
   */
  NameService(
      int self,
      HashRing ring,
      Peers peers,
      PageOwners pages,
      RemovalLog removals,
      Predicate<UUID> isLive,
      CommitCheck check) {
    this.self = self;
    this.ring = ring;
    this.peers = peers;
    this.pages = pages;
    this.isLive = isLive;
    this.check = check;
    this.changes = new NameChanges(self, ring, peers, names, removals);
    this.owned = new OwnedNames(names, changes, pages, this::isResponsible);
    this.copies = new NameCopies(self, ring, peers, names);
  }

  /**
   * A commit on its way. A client that lost its connection repeats it: that waits for the first.
   */
  private record Attempt(ObjectId id, CompletableFuture<StoredObject> made) {

    /** What the first attempt comes to, which waits for servers no longer than the deadline. */
    StoredObject outcome() throws IOException {
      try {
        return made.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
      }
    }
  }

  /** Makes the names of objects that were there before, and those of their directories. */
  void restore(List<StoredObject> objects) {
    synchronized (names) {
      objects.forEach(names::restore);
    }
  }

  /** From now on it answers: it has got its share from the others. */
  void open() {
    synchronized (names) {
      open = true;
    }
  }

  /**
   * Makes an object visible. Does nothing when that very object is, or is being made so.
   *
   * @return the object as it is visible
   */
  StoredObject commit(StoredObject object) throws IOException {
    PoolPath path = PoolPath.of(object.path());
    requireNoRoot(path);
    check.require(object);
    Attempt attempt = new Attempt(object.id(), new CompletableFuture<>());
    Optional<Attempt> first;
    synchronized (names) {
      requireResponsible(path.parent());
      names.table(path.parent());
      requireOwner(path.parent(), Namespace.owner(object));
      requireLease(object, Refusal.NO_LEASE);
      Optional<NameEntry> there = names.find(path);
      if (there.isPresent()
          && there.get() instanceof NameEntry.OfObject same
          && same.object().id().equals(object.id())) {
        return same.object();
      }
      first = Optional.ofNullable(pending.get(path.value()));
      if (there.isPresent() || first.filter(other -> !other.id().equals(object.id())).isPresent()) {
        throw exists(path);
      }
      pending.putIfAbsent(path.value(), attempt);
    }
    return first.isPresent() ? first.get().outcome() : commit(path, object, attempt);
  }

  private StoredObject commit(PoolPath path, StoredObject object, Attempt attempt)
      throws IOException {
    try {
      pages.seal(object);
      insert(path, object);
      counts.committed(object);
      attempt.made().complete(object);
      return object;
    } catch (IOException | RuntimeException e) {
      pages.free(object);
      attempt.made().completeExceptionally(e);
      throw e;
    } finally {
      attempt.made().completeExceptionally(new IOException(path + " was not committed"));
      synchronized (names) {
        pending.remove(path.value());
      }
    }
  }

  private void insert(PoolPath path, StoredObject object) throws IOException {
    Optional<Replication> replication;
    synchronized (names) {
      requireResponsible(path.parent());
      // A directory with an owner can have gone in between.
      names.table(path.parent());
      // A client whose lease ends later than this finds its object here.
      requireLease(object, Refusal.FAILED);
      replication = changes.make(path.parent(), new NameChange.Put(new NameEntry.OfObject(object)));
    }
    finish(path.parent(), replication);
  }

  /**
   * What a path stands for, as a client has asked.
   *
   * @throws NoSuchFileException when there is no directory in which it could be
   */
  Optional<NameEntry> find(PoolPath path) throws IOException {
    requireNoRoot(path);
    synchronized (names) {
      requireResponsible(path.parent());
      Optional<NameEntry> entry = Optional.ofNullable(names.table(path.parent()).get(path.name()));
      counts.lookedUp(entry);
      return entry;
    }
  }

  /** Deletes an object: from the moment when it has no name, its pages are freed. */
  ObjectId delete(PoolPath path) throws IOException {
    requireNoRoot(path);
    StoredObject object;
    Optional<Replication> replication;
    synchronized (names) {
      requireResponsible(path.parent());
      NameEntry entry = names.find(path).orElseThrow(() -> missing(path));
      if (!(entry instanceof NameEntry.OfObject named)) {
        throw new RefusedException(Refusal.FAILED, path + " is a directory, not an object");
      }
      object = named.object();
      replication = changes.make(path.parent(), new NameChange.Remove(path.value()));
    }
    finish(path.parent(), replication);
    pages.free(object);
    return object.id();
  }

  /**
   * Makes the name of a directory; does nothing when it is there.
   *
   * @param owner with whose lease it goes; empty for one that stays
   */
  void addName(PoolPath directory, Optional<UUID> owner) throws IOException {
    requireNoRoot(directory);
    Optional<Replication> replication;
    synchronized (names) {
      requireResponsible(directory.parent());
      names.table(directory.parent());
      Optional<NameEntry> there = names.find(directory);
      if (there.isPresent() && there.get() instanceof NameEntry.OfDirectory) {
        return;
      }
      if (there.isPresent() || pending.containsKey(directory.value())) {
        throw exists(directory);
      }
      requireOwner(directory.parent(), owner);
      NameEntry name = new NameEntry.OfDirectory(directory.value(), owner.stream().toList());
      replication = changes.make(directory.parent(), new NameChange.Put(name));
    }
    finish(directory.parent(), replication);
  }

  /** Removes the name of a directory that has no table any longer. */
  void removeName(PoolPath directory) throws IOException {
    requireNoRoot(directory);
    Optional<Replication> replication;
    synchronized (names) {
      requireResponsible(directory.parent());
      NameEntry entry = names.find(directory).orElseThrow(() -> missing(directory));
      if (entry instanceof NameEntry.OfObject) {
        throw new NotDirectoryException(directory.value());
      }
      replication = changes.make(directory.parent(), new NameChange.Remove(directory.value()));
    }
    finish(directory.parent(), replication);
  }

  /**
   * Makes the table of a directory; does nothing when it is there.
   *
   * @param owner as in its name
   */
  void addTable(PoolPath directory, Optional<UUID> owner) throws IOException {
    Optional<Replication> replication;
    synchronized (names) {
      requireResponsible(directory);
      if (names.hasTable(directory)) {
        return;
      }
      replication =
          changes.make(
              directory, new NameChange.AddTable(directory.value(), owner.stream().toList()));
    }
    finish(directory, replication);
  }

  /** Removes the table of an empty directory; does nothing when it has none. */
  void removeTable(PoolPath directory) throws IOException {
    requireNoRoot(directory);
    Optional<Replication> replication;
    synchronized (names) {
      requireResponsible(directory);
      if (!names.hasTable(directory)) {
        return;
      }
      boolean used =
          !names.table(directory).isEmpty()
              || pending.keySet().stream()
                  .anyMatch(path -> PoolPath.of(path).parent().equals(directory));
      if (used) {
        throw new DirectoryNotEmptyException(directory.value());
      }
      replication = changes.make(directory, new NameChange.RemoveTable(directory.value()));
    }
    finish(directory, replication);
  }

  /**
   * Waits until a change is made. One that the other server of the directory has not made counts
   * only if this one still answers for it; if not, the other one may not know of it.
   */
  private void finish(PoolPath directory, Optional<Replication> replication)
      throws RefusedException {
    NameChanges.finish(replication);
    requireResponsible(directory);
  }

  /** The names in a directory, in their order. */
  List<NameEntry> list(PoolPath directory) throws IOException {
    synchronized (names) {
      requireResponsible(directory);
      NavigableMap<String, NameEntry> table = names.table(directory);
      return List.copyOf(table.values());
    }
  }

  /** Makes a change that the other server of the directory has made. */
  void apply(NameChange change) throws IOException {
    synchronized (names) {
      changes.apply(change);
    }
  }

  /**
   * Which of these objects are there, or are being committed.
   *
   * @throws RefusedException when this server does not answer for one of them
   */
  List<ObjectId> existing(List<Named> objects) throws IOException {
    List<ObjectId> existing = new ArrayList<>();
    synchronized (names) {
      for (Named object : objects) {
        PoolPath path = PoolPath.of(object.path());
        requireResponsible(path.parent());
        boolean exists =
            Optional.ofNullable(pending.get(object.path()))
                    .filter(attempt -> attempt.id().equals(object.id()))
                    .isPresent()
                || names
                    .find(path)
                    .filter(entry -> entry instanceof NameEntry.OfObject)
                    .map(entry -> ((NameEntry.OfObject) entry).object().id())
                    .filter(object.id()::equals)
                    .isPresent();
        if (exists) {
          existing.add(object.id());
        }
      }
    }
    return existing;
  }

  /** What goes by itself. */
  OwnedNames owned() {
    return owned;
  }

  /** What other servers have of the same. */
  NameCopies copies() {
    return copies;
  }

  /** How often it was asked. */
  NameCounts counts() {
    return counts;
  }

  /** Names that this server has, as primary or as replica. */
  int size() {
    synchronized (names) {
      return names.size();
    }
  }

  /** Whether this server answers for the names in a directory. */
  boolean isResponsible(PoolPath directory) {
    synchronized (names) {
      HashRing.Pair pair = ring.serversOf(directory);
      return open
          && (pair.primary() == self || (pair.replica() == self && !peers.isUp(pair.primary())))
          && !peers.isFenced();
    }
  }

  private void requireResponsible(PoolPath directory) throws RefusedException {
    if (!isResponsible(directory)) {
      throw new RefusedException(
          Refusal.NOT_RESPONSIBLE, "another server answers for the names in " + directory);
    }
  }

  private static void requireNoRoot(PoolPath path) throws RefusedException {
    if (path.isRoot()) {
      throw new RefusedException(Refusal.FAILED, "the root can be neither made nor removed");
    }
  }

  private void requireLease(StoredObject object, Refusal otherwise) throws RefusedException {
    if (object.lifetime() == Lifetime.LEASE && !isLive.test(object.id().client())) {
      throw new RefusedException(otherwise, "the lease of the object's writer is over");
    }
  }

  /** What a directory with an owner holds goes with the same one, or it could not go. */
  private void requireOwner(PoolPath directory, Optional<UUID> owner) throws RefusedException {
    Optional<UUID> needed = names.owner(directory);
    if (needed.isPresent() && !needed.equals(owner)) {
      throw new RefusedException(
          Refusal.FAILED,
          directory
              + " goes with the lease of client "
              + needed.get()
              + ", so what it holds has to go with the same one");
    }
  }

  private static NoSuchFileException missing(PoolPath path) {
    return new NoSuchFileException(path.value(), null, "the pool has nothing of this name");
  }

  private static FileAlreadyExistsException exists(PoolPath path) {
    return new FileAlreadyExistsException(path.value(), null, "the pool has this name already");
  }
}
