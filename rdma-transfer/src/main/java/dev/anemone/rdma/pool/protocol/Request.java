// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.TierKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/** What is asked of a server. Each request gets one {@link Reply}. */
public sealed interface Request {

  /** Version of these messages; both sides must have the same. */
  int VERSION = 9;

  /**
   * The first request of a connection.
   *
   * @param pool {@link PoolDigest} of what the pool consists of, as this side knows it
   * @param client who connects; every connection of one client has the same
   * @param server number of the server that connects, or -1 for a client
   * @param incarnation of that server
   * @param process which connects
   * @param nonce a random number
   */
  record Hello(
      int version,
      String pool,
      UUID client,
      int server,
      long incarnation,
      ProcessIdentity process,
      String nonce)
      implements Request {}

  /** The second request: that one has the token. */
  record Proof(String proof) implements Request {}

  /**
   * Renews the lease.
   *
   * @param removals number of the last removal that the client knows of
   */
  record Heartbeat(long removals) implements Request {}

  /** Ends the lease at once: the client will not come back. */
  record Leave() implements Request {}

  /** A page to write, of the fastest tier that has one, from the first of these to the last. */
  record Allocate(TierKind first, TierKind last) implements Request {}

  /** Bytes of a page that is in a file. */
  record ReadPage(int number, int from, int length) implements Request {}

  /** Writes into a page that is in a file, and that the asker writes. */
  record WritePage(int number, int at, ByteBuffer bytes) implements Request {}

  /** Gives back pages that were not committed. No write to them is under way. */
  record Release(List<PageId> pages) implements Request {}

  /**
   * Makes a written object visible, all of it or nothing. Can be repeated.
   *
   * @param object its times are the server's to say
   * @param keepMillis after so long it is deleted if nobody has done so; 0 for never
   */
  record Commit(StoredObject object, long keepMillis) implements Request {}

  /**
   * Writes an object of one page, or of less, and makes it visible: all of it or nothing. Can be
   * repeated.
   *
   * @param object without pages; its times are the server's to say
   * @param keepMillis as of {@link Commit}
   * @param first the fastest tier that its page may be of
   * @param last the slowest; not {@link TierKind#FILE}
   * @param bytes all that it has
   */
  record Store(
      StoredObject object, long keepMillis, TierKind first, TierKind last, ByteBuffer bytes)
      implements Request {}

  /**
   * What a path stands for, and, if that is an object whose last page this server has in memory,
   * its last bytes.
   *
   * @param tailBytes how many at most; the server gives no more than a message holds
   */
  record Open(String path, int tailBytes) implements Request {}

  /** What a path stands for. */
  record Lookup(String path) implements Request {}

  /** Deletes an object and frees its pages. */
  record Delete(String path) implements Request {}

  /**
   * Makes the name of a directory, in the directory that it lies in.
   *
   * @param owner the client with whose lease the directory goes; empty for one that stays
   */
  record AddName(String directory, List<UUID> owner) implements Request {}

  /** Removes that name. */
  record RemoveName(String directory) implements Request {}

  /**
   * Makes the table of a directory, once it has a name.
   *
   * @param owner as in the name
   */
  record AddTable(String directory, List<UUID> owner) implements Request {}

  /** Removes the table of an empty directory, before its name. */
  record RemoveTable(String directory) implements Request {}

  /** The names in a directory. */
  record ListNames(String directory) implements Request {}

  /** How full the server is. */
  record Status() implements Request {}

  /**
   * Ends the server.
   *
   * @param proof that one has the operator's token
   */
  record Stop(String proof) implements Request {}

  /**
   * Lets the server take no more objects, and end when it has none.
   *
   * @param proof that one has the operator's token
   */
  record Drain(String proof) implements Request {}

  /** A server has been started, and asks another one for its share of the names. */
  record Join() implements Request {}

  /** A change of names that both servers have; only from server to server. */
  record Apply(NameChange change) implements Request {}

  /** Hands pages from their writer to an object; only from server to server. Can be repeated. */
  record Seal(ObjectId id, String path, long incarnation, List<PageId> pages) implements Request {}

  /** Frees the pages of an object; only from server to server. */
  record Free(ObjectId id) implements Request {}

  /** Which of these are there or are being committed; only from server to server. */
  record Exist(List<Named> objects) implements Request {}

  /** A page as it was allocated. */
  record PageId(int number, long generation) {}

  /** An object's id and its path. */
  record Named(ObjectId id, String path) {}
}
