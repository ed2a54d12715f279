// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.util.List;
import java.util.UUID;

/** What a name in a directory stands for. */
public sealed interface NameEntry {

  /** An object. */
  record OfObject(StoredObject object) implements NameEntry {}

  /**
   * A directory, by its path; what it holds is in its own table, maybe on other servers.
   *
   * @param owner the client with whose lease it goes; empty for one that stays
   */
  record OfDirectory(String path, List<UUID> owner) implements NameEntry {}

  /** The whole path of the name. */
  default String path() {
    return this instanceof OfObject entry ? entry.object().path() : ((OfDirectory) this).path();
  }
}
