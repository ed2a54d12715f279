// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.protocol.NameChange;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The names that a server has, by directory. What a name of a directory stands for is in its
 * parent's table; what it holds is in its own table, which another server may have. Not
 * thread-safe.
 */
final class Namespace {

  private final Map<String, NavigableMap<String, NameEntry>> tables = new HashMap<>();
  private final Map<String, UUID> owners = new HashMap<>();

  /** A name that goes with the lease of a client. */
  record Owned(UUID owner, NameEntry entry) {}

  /** Has the root's table, which is empty. */
  Namespace() {
    tables.put(PoolPath.ROOT.value(), new TreeMap<>());
  }

  /**
   * The names in a directory.
   *
   * @throws NoSuchFileException when there is no such directory
   */
  NavigableMap<String, NameEntry> table(PoolPath directory) throws NoSuchFileException {
    NavigableMap<String, NameEntry> table = tables.get(directory.value());
    if (table == null) {
      throw new NoSuchFileException(
          directory.value(), null, "there is no such directory in the pool");
    }
    return table;
  }

  /** Whether there is such a directory. */
  boolean hasTable(PoolPath directory) {
    return tables.containsKey(directory.value());
  }

  /** The client with whose lease a directory goes, as far as this server has its table. */
  Optional<UUID> owner(PoolPath directory) {
    return Optional.ofNullable(owners.get(directory.value()));
  }

  /** Whether a directory holds nothing, as far as this server knows. */
  boolean isEmpty(PoolPath directory) {
    return tables.getOrDefault(directory.value(), new TreeMap<>()).isEmpty();
  }

  /** What a path stands for. The root has no name. */
  Optional<NameEntry> find(PoolPath path) {
    NavigableMap<String, NameEntry> table = tables.get(path.parent().value());
    return table == null ? Optional.empty() : Optional.ofNullable(table.get(path.name()));
  }

  /**
   * Changes it; a change that was made before changes nothing. A name may come before its table: a
   * copy gets changes as soon as it is one, and then all that was there before.
   */
  void apply(NameChange change) {
    if (change instanceof NameChange.Put put) {
      PoolPath path = PoolPath.of(put.entry().path());
      tables
          .computeIfAbsent(path.parent().value(), ignored -> new TreeMap<>())
          .put(path.name(), put.entry());
    } else if (change instanceof NameChange.Remove remove) {
      PoolPath path = PoolPath.of(remove.path());
      tables.getOrDefault(path.parent().value(), new TreeMap<>()).remove(path.name());
    } else if (change instanceof NameChange.AddTable add) {
      tables.putIfAbsent(add.directory(), new TreeMap<>());
      add.owner().forEach(owner -> owners.put(add.directory(), owner));
    } else if (change instanceof NameChange.RemoveTable remove) {
      tables.remove(remove.directory());
      owners.remove(remove.directory());
    }
  }

  /** The changes that make these directories from nothing. */
  List<NameChange> changes(Predicate<PoolPath> directories) {
    List<NameChange> changes = new ArrayList<>();
    tables.forEach(
        (directory, names) -> {
          if (directories.test(PoolPath.of(directory))) {
            changes.add(
                new NameChange.AddTable(
                    directory, owner(PoolPath.of(directory)).stream().toList()));
            names.values().forEach(entry -> changes.add(new NameChange.Put(entry)));
          }
        });
    return changes;
  }

  /** All names that go with the lease of a client. */
  List<Owned> owned() {
    List<Owned> owned = new ArrayList<>();
    for (NavigableMap<String, NameEntry> table : tables.values()) {
      for (NameEntry entry : table.values()) {
        owner(entry).ifPresent(owner -> owned.add(new Owned(owner, entry)));
      }
    }
    return owned;
  }

  private static Optional<UUID> owner(NameEntry entry) {
    if (entry instanceof NameEntry.OfObject named) {
      return owner(named.object());
    }
    return ((NameEntry.OfDirectory) entry).owner().stream().findFirst();
  }

  /** The client with whose lease an object goes; empty for one that stays. */
  static Optional<UUID> owner(StoredObject object) {
    return object.lifetime() == Lifetime.LEASE
        ? Optional.of(object.id().client())
        : Optional.empty();
  }

  /** The directories that go with the lease of a client, of which this server has the tables. */
  Map<String, UUID> ownedTables() {
    return new HashMap<>(owners);
  }

  /** Names in all directories. */
  int size() {
    return tables.values().stream().mapToInt(Map::size).sum();
  }
}
