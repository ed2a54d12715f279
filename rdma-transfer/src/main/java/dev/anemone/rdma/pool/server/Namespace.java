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
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
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
  private final OwnerIndex index = new OwnerIndex();
  private final NavigableSet<Due> due = new TreeSet<>();
  private int size;

  /** When an object goes by itself. */
  record Due(long expiresMillis, String path) implements Comparable<Due> {

    /** Before all others. */
    static final Due FIRST = new Due(0, "");

    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(expiresMillis, other.expiresMillis);
      return byTime != 0 ? byTime : path.compareTo(other.path);
    }
  }

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
      forget(
          tables
              .computeIfAbsent(path.parent().value(), ignored -> new TreeMap<>())
              .put(path.name(), put.entry()));
      index.add(put.entry());
      due(put.entry()).ifPresent(due::add);
      size++;
    } else if (change instanceof NameChange.Remove remove) {
      PoolPath path = PoolPath.of(remove.path());
      forget(tables.getOrDefault(path.parent().value(), new TreeMap<>()).remove(path.name()));
    } else if (change instanceof NameChange.AddTable add) {
      tables.putIfAbsent(add.directory(), new TreeMap<>());
      add.owner()
          .forEach(
              owner -> {
                owners.put(add.directory(), owner);
                index.addTable(add.directory(), owner);
              });
    } else if (change instanceof NameChange.RemoveTable remove) {
      NavigableMap<String, NameEntry> table = tables.remove(remove.directory());
      if (table != null) {
        table.values().forEach(this::forget);
      }
      UUID owner = owners.remove(remove.directory());
      if (owner != null) {
        index.removeTable(remove.directory(), owner);
      }
    }
  }

  /** Makes the name of an object that was there before, and those of its directories. */
  void restore(StoredObject object) {
    PoolPath path = PoolPath.of(object.path());
    for (PoolPath above = path.parent(); !above.isRoot(); above = above.parent()) {
      if (find(above).isEmpty()) {
        apply(new NameChange.AddTable(above.value(), List.of()));
        apply(new NameChange.Put(new NameEntry.OfDirectory(above.value(), List.of())));
      }
    }
    apply(new NameChange.Put(new NameEntry.OfObject(object)));
  }

  private void forget(NameEntry entry) {
    if (entry != null) {
      index.remove(entry);
      due(entry).ifPresent(due::remove);
      size--;
    }
  }

  private static Optional<Due> due(NameEntry entry) {
    return entry instanceof NameEntry.OfObject named && named.object().expiresMillis() != 0
        ? Optional.of(new Due(named.object().expiresMillis(), entry.path()))
        : Optional.empty();
  }

  /** At most so many of those that should have gone by now, the next after the given one. */
  List<Due> overdue(long nowMillis, Due after, int most) {
    return due.tailSet(after, false).stream()
        .takeWhile(object -> object.expiresMillis() <= nowMillis)
        .limit(most)
        .toList();
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

  /**
   * The directories whose tables are here; not the root, which all servers have, while it is empty.
   */
  List<PoolPath> directories() {
    return tables.keySet().stream()
        .map(PoolPath::of)
        .filter(directory -> !directory.isRoot() || !isEmpty(directory))
        .toList();
  }

  /** The names and tables that go with the leases of clients. */
  OwnerIndex owned() {
    return index;
  }

  /** The client with whose lease an object goes; empty for one that stays. */
  static Optional<UUID> owner(StoredObject object) {
    return object.lifetime() == Lifetime.LEASE
        ? Optional.of(object.id().client())
        : Optional.empty();
  }

  /** Names in all directories. */
  int size() {
    return size;
  }
}
