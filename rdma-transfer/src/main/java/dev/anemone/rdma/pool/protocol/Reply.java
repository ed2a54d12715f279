// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.TierKind;
import java.nio.ByteBuffer;
import java.util.List;

/** What a server answers. */
public sealed interface Reply {

  /** The server has the token; does the other side? */
  record Challenge(String nonce, String proof) implements Reply {}

  /**
   * The connection is let in.
   *
   * @param leaseMillis after so long without a message the server ends the connection
   * @param freePages on this server
   * @param removals number of the last removal
   * @param generations the region with the generation of each page, eight bytes each
   */
  record Welcome(
      long incarnation,
      int pageBytes,
      long leaseMillis,
      FreePages freePages,
      long removals,
      List<RegionInfo> regions,
      RegionInfo generations)
      implements Reply {}

  /** It is done. */
  record Done() implements Reply {}

  /** It is removed: this object, or a directory. */
  record Removed(List<ObjectId> objects) implements Reply {}

  /** It is not done, and why; {@code subject} is a path, or empty. */
  record Refused(Refusal reason, String subject, String message) implements Reply {}

  /** A page to write. */
  record Allocated(int number, long generation, TierKind tier) implements Reply {}

  /** Bytes of a page that is in a file. */
  record PageBytes(ByteBuffer bytes) implements Reply {}

  /** What a path stands for: one entry, or none. */
  record Found(List<NameEntry> entry) implements Reply {}

  /**
   * What a path stands for: one entry, or none.
   *
   * @param tail the last bytes of the object; none when the server does not have them
   */
  record Opened(List<NameEntry> entry, ByteBuffer tail) implements Reply {}

  /** The object that was written, as it is visible. */
  record Stored(StoredObject object) implements Reply {}

  /** The names in a directory. */
  record Names(List<NameEntry> entries) implements Reply {}

  /**
   * The lease is renewed.
   *
   * @param removals number of the last removal
   * @param removed what was removed since; when {@code complete} is 0, more than is remembered
   */
  record Renewed(FreePages freePages, long removals, int complete, List<ObjectId> removed)
      implements Reply {}

  /** How full the server is. */
  record Full(ServerStatus status) implements Reply {}

  /** Those that exist. */
  record Existing(List<ObjectId> ids) implements Reply {}

  /**
   * Other servers.
   *
   * @param reached those that this one reaches
   * @param goneOnWithout those that it has lost, and without which it has answered for names that
   *     both have
   */
  record Peers(List<Peer> reached, List<Peer> goneOnWithout) implements Reply {}

  /** A server, by its number, as it runs now. */
  record Peer(int server, long incarnation) {}
}
