// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.protocol.NameChange;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.server.NameChanges.Replication;
import dev.anemone.rdma.pool.server.Namespace.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The names that go by themselves: objects whose time is over, and what goes with the leases of
 * clients. What a directory with an owner holds has the same owner, so its name and its table,
 * which may be on two servers, are removed independently of each other, each when its server learns
 * of the end of the lease. Thread-safe.
 */
final class OwnedNames {

  /** How many names are looked at with the lock of the names, which lookups wait for. */
  private static final int PIECE = 256;

  private final Namespace names;
  private final NameChanges changes;
  private final PageOwners pages;
  private final Predicate<PoolPath> isResponsible;

  /**
   * A view of names, whose lock it takes.
   *
   * @param isResponsible whether this server answers for the names in a directory
   */
  OwnedNames(
      Namespace names, NameChanges changes, PageOwners pages, Predicate<PoolPath> isResponsible) {
    this.names = names;
    this.changes = changes;
    this.pages = pages;
    this.isResponsible = isResponsible;
  }

  /** The clients on whose leases names depend that this server has. */
  Set<UUID> owners() {
    synchronized (names) {
      return names.owned().owners();
    }
  }

  /**
   * Removes what these clients own and this server answers for: objects and names of directories
   * first, then the tables, which are empty by then.
   */
  void remove(Set<UUID> clients) {
    clients.forEach(this::removeEntries);
    clients.forEach(this::removeTables);
  }

  /** Removes the objects whose time is over and for whose names this server answers. */
  void removeOverdue(long nowMillis) {
    Due last = Due.FIRST;
    while (true) {
      List<Due> piece;
      List<NameEntry> entries = new ArrayList<>();
      synchronized (names) {
        piece = names.overdue(nowMillis, last, PIECE);
        piece.forEach(due -> names.find(PoolPath.of(due.path())).ifPresent(entries::add));
      }
      if (piece.isEmpty()) {
        return;
      }
      entries.forEach(this::remove);
      last = piece.get(piece.size() - 1);
    }
  }

  private void removeEntries(UUID client) {
    String last = "";
    while (true) {
      List<NameEntry> piece;
      synchronized (names) {
        piece = names.owned().entries(client, last, PIECE);
      }
      if (piece.isEmpty()) {
        return;
      }
      piece.forEach(this::remove);
      last = piece.get(piece.size() - 1).path();
    }
  }

  private void removeTables(UUID client) {
    String last = "";
    while (true) {
      List<String> piece;
      synchronized (names) {
        piece = names.owned().tables(client, last, PIECE);
      }
      if (piece.isEmpty()) {
        return;
      }
      piece.forEach(directory -> removeTable(PoolPath.of(directory), client));
      last = piece.get(piece.size() - 1);
    }
  }

  private void remove(NameEntry entry) {
    PoolPath path = PoolPath.of(entry.path());
    boolean removed =
        remove(
            path.parent(),
            new NameChange.Remove(path.value()),
            () -> names.find(path).equals(Optional.of(entry)));
    if (removed && entry instanceof NameEntry.OfObject named) {
      pages.free(named.object());
    }
  }

  private void removeTable(PoolPath directory, UUID owner) {
    remove(
        directory,
        new NameChange.RemoveTable(directory.value()),
        () -> names.owner(directory).equals(Optional.of(owner)) && names.isEmpty(directory));
  }

  private boolean remove(PoolPath directory, NameChange change, BooleanSupplier isThere) {
    Optional<Replication> replication;
    synchronized (names) {
      if (!isResponsible.test(directory) || !isThere.getAsBoolean()) {
        return false;
      }
      replication = changes.make(directory, change);
    }
    NameChanges.finish(replication);
    return true;
  }
}
