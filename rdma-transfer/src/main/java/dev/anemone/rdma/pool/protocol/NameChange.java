// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.util.List;
import java.util.UUID;

/** A change of the name service, as it is replicated. */
public sealed interface NameChange {

  /** A name is there; its directory's table is. */
  record Put(NameEntry entry) implements NameChange {}

  /** A name is no longer there. */
  record Remove(String path) implements NameChange {}

  /**
   * A directory can hold names.
   *
   * @param owner the client with whose lease it goes; empty for one that stays
   */
  record AddTable(String directory, List<UUID> owner) implements NameChange {}

  /** A directory, which holds no names, can hold none any longer. */
  record RemoveTable(String directory) implements NameChange {}
}
