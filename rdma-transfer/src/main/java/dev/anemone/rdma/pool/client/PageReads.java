// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.DamagedPageException;
import dev.anemone.rdma.pool.ObjectDeletedException;
import dev.anemone.rdma.pool.ObjectLostException;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads pages, several at a time, and gives no bytes that are not the object's. All of a page is
 * checked by its checksum. A part of one is checked by the page's generation, which is read after
 * it: if it is still that of the object, the page had not been freed when the bytes were read.
 *
 * <p>Thread-safe.
 */
final class PageReads implements AutoCloseable {

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
  private static final int GENERATIONS = 256;
  private static final int ATTEMPTS = 2;

  private final ServerConnections connections;
  private final Duration deadline;
  private final Buffers generations;

  /** Of nobody; as many as were in use at a time. */
  private final ArrayDeque<Transfer> transfers = new ArrayDeque<>();

  /**
   * Reads over these connections.
   *
   * @param generations buffers of eight bytes; closed with this
   */
  PageReads(ServerConnections connections, Duration deadline, Buffers generations) {
    this.connections = connections;
    this.deadline = deadline;
    this.generations = generations;
  }

  /** How many buffers for generations a client has. */
  static int generationBuffers() {
    return GENERATIONS;
  }

  /**
   * A range of a page, and where it goes.
   *
   * @param from first byte in the page
   */
  record Piece(PageRef page, int from, int length, MemoryRegion into, int position) {

    ByteBuffer bytes() {
      return into.memory().slice(position, length);
    }
  }

  /** A piece that is being read. */
  private record Reading(Piece piece, RemoteServer server, Transfer transfer) {}

  /**
   * Reads pieces of one object; all of them are right when it returns.
   *
   * @throws ObjectLostException when a server is gone
   * @throws ObjectDeletedException when the object was deleted
   * @throws DamagedPageException when a page has other bytes than were written
   */
  void read(StoredObject object, List<Piece> pieces) throws IOException {
    List<Piece> left = pieces;
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      left = read(object, left, attempt == ATTEMPTS);
    }
  }

  /** Reads, and returns the pieces whose connection broke, unless it is the last attempt. */
  private List<Piece> read(StoredObject object, List<Piece> pieces, boolean last)
      throws IOException {
    List<Reading> readings = new ArrayList<>(pieces.size());
    List<Piece> again = new ArrayList<>();
    try {
      for (Piece piece : pieces) {
        readings.add(begin(object, piece));
      }
    } finally {
      // The memory is the transport's until then, whatever else fails.
      readings.forEach(reading -> reading.transfer().await());
    }
    for (Reading reading : readings) {
      IOException failure = reading.transfer().await();
      if (failure == null) {
        Piece piece = reading.piece();
        failure =
            verify(
                object,
                reading.server(),
                piece.page(),
                piece.length(),
                piece.into(),
                piece.position());
      }
      if (failure != null) {
        if (last) {
          throw lost(object, reading.server(), failure);
        }
        again.add(reading.piece());
      }
    }
    return again;
  }

  /**
   * Reads a part of one page; it is right when it returns. As a rule it makes no objects.
   *
   * @param from first byte in the page
   * @throws ObjectLostException when the server is gone
   * @throws ObjectDeletedException when the object was deleted
   * @throws DamagedPageException when the page has other bytes than were written
   */
  void read(
      StoredObject object, PageRef page, int from, int length, MemoryRegion into, int position)
      throws IOException {
    IOException failure = null;
    RemoteServer server = null;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      server = server(object, page);
      Transfer transfer = takeTransfer();
      server.read(page.number(), from, into, position, length, transfer.begin());
      failure = transfer.awaitAndReset();
      giveBack(transfer);
      if (failure == null) {
        failure = verify(object, server, page, length, into, position);
      }
      if (failure == null) {
        return;
      }
    }
    throw lost(object, server, failure);
  }

  private Transfer takeTransfer() {
    synchronized (transfers) {
      Transfer transfer = transfers.poll();
      return transfer == null ? new Transfer() : transfer;
    }
  }

  private void giveBack(Transfer transfer) {
    synchronized (transfers) {
      transfers.push(transfer);
    }
  }

  private Reading begin(StoredObject object, Piece piece) throws IOException {
    RemoteServer server = server(object, piece.page());
    Transfer transfer = new Transfer();
    server.read(
        piece.page().number(),
        piece.from(),
        piece.into(),
        piece.position(),
        piece.length(),
        transfer.begin());
    return new Reading(piece, server, transfer);
  }

  /** The connection to a page's server, if that is still the same incarnation. */
  private RemoteServer server(StoredObject object, PageRef page) throws IOException {
    try {
      RemoteServer server = connections.require(page.server());
      if (server.incarnation() != page.incarnation()) {
        throw lost(object, server, null);
      }
      return server;
    } catch (ServerUnavailableException e) {
      throw new ObjectLostException(
          PoolPath.of(object.path()), connections.address(page.server()), e);
    }
  }

  /** Throws when the bytes are not the object's; returns why that could not be found out. */
  private IOException verify(
      StoredObject object,
      RemoteServer server,
      PageRef page,
      int length,
      MemoryRegion into,
      int position)
      throws IOException {
    boolean whole = length == page.length();
    if (whole && checksum(into.memory().slice(position, length)) == page.checksum()) {
      return null;
    }
    int generation = generations.take(deadline);
    try {
      Transfer transfer = takeTransfer();
      server.readGeneration(page.number(), generations.region(), generation, transfer.begin());
      IOException failure = transfer.awaitAndReset();
      giveBack(transfer);
      if (failure != null) {
        return failure;
      }
      if (generations.getLong(generation) != page.generation()) {
        throw new ObjectDeletedException(
            "The pool object " + object.path() + " was deleted while it was read.");
      }
    } finally {
      generations.giveBack(generation);
    }
    if (whole) {
      throw new DamagedPageException(
          "Page "
              + page.number()
              + " of pool server "
              + server.caller().server()
              + ", which belongs to "
              + object.path()
              + ", does not have the checksum with which it was written.");
    }
    return null;
  }

  /**
   * The last bytes of an object as a server gave them; none when they are all of its last page and
   * do not have that one's checksum: who reads the page finds out why.
   */
  static ByteBuffer checked(StoredObject object, ByteBuffer tail) {
    if (!tail.hasRemaining() || object.pages().isEmpty()) {
      return EMPTY;
    }
    PageRef last = object.pages().get(object.pages().size() - 1);
    boolean wrong =
        tail.remaining() > last.length()
            || (tail.remaining() == last.length() && checksum(tail.duplicate()) != last.checksum());
    return wrong ? EMPTY : tail;
  }

  private static ObjectLostException lost(
      StoredObject object, RemoteServer server, IOException cause) {
    return new ObjectLostException(PoolPath.of(object.path()), server.caller().server(), cause);
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  @Override
  public void close() {
    generations.close();
  }
}
