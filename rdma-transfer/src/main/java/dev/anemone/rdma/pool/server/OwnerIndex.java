// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.NameEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Names and tables that go with the leases of clients, by client, so that nobody has to look at all
 * names for them. What a client owns is handed out in pieces. Not thread-safe.
 */
final class OwnerIndex {

  private final Map<UUID, NavigableMap<String, NameEntry>> entries = new HashMap<>();
  private final Map<UUID, NavigableSet<String>> tables = new HashMap<>();

  /** A name is there. */
  void add(NameEntry entry) {
    owner(entry)
        .ifPresent(
            owner ->
                entries
                    .computeIfAbsent(owner, ignored -> new TreeMap<>())
                    .put(entry.path(), entry));
  }

  /** A name is there no longer. */
  void remove(NameEntry entry) {
    owner(entry)
        .ifPresent(
            owner ->
                entries.computeIfPresent(
                    owner,
                    (id, own) -> {
                      own.remove(entry.path());
                      return own.isEmpty() ? null : own;
                    }));
  }

  /** A directory's table goes with a client's lease. */
  void addTable(String directory, UUID owner) {
    tables.computeIfAbsent(owner, ignored -> new TreeSet<>()).add(directory);
  }

  /** A directory's table is there no longer. */
  void removeTable(String directory, UUID owner) {
    tables.computeIfPresent(
        owner,
        (id, own) -> {
          own.remove(directory);
          return own.isEmpty() ? null : own;
        });
  }

  /** The clients that own something. */
  Set<UUID> owners() {
    Set<UUID> owners = new HashSet<>(entries.keySet());
    owners.addAll(tables.keySet());
    return owners;
  }

  /** At most so many of a client's names, those of the next paths after the given one. */
  List<NameEntry> entries(UUID owner, String after, int most) {
    NavigableMap<String, NameEntry> own = entries.getOrDefault(owner, new TreeMap<>());
    return own.tailMap(after, false).values().stream().limit(most).toList();
  }

  /** At most so many directories of which the tables are a client's, the next after the given. */
  List<String> tables(UUID owner, String after, int most) {
    NavigableSet<String> own = tables.getOrDefault(owner, new TreeSet<>());
    return own.tailSet(after, false).stream().limit(most).toList();
  }

  private static Optional<UUID> owner(NameEntry entry) {
    if (entry instanceof NameEntry.OfObject named) {
      return Namespace.owner(named.object());
    }
    return ((NameEntry.OfDirectory) entry).owner().stream().findFirst();
  }
}
