// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Connections that wait for their next request, at most {@value #MOST}. Thread-safe. */
final class IdleConnections implements Closeable {

  private static final int MOST = 64;

  /** The one that was used last comes first. */
  private final Deque<HandlerConnection> idle = new ArrayDeque<>();

  private boolean closed;

  /** A connection to a node, which is the caller's now; null when there is none. */
  synchronized HandlerConnection take(BlockLocation location) throws IOException {
    closeUnusable();
    for (Iterator<HandlerConnection> each = idle.iterator(); each.hasNext(); ) {
      HandlerConnection connection = each.next();
      if (connection.location().equals(location)) {
        each.remove();
        return connection;
      }
    }
    return null;
  }

  /** Takes a connection over, whose last answer has been read to its end. */
  synchronized void give(HandlerConnection connection) throws IOException {
    idle.addFirst(connection);
    if (closed) {
      close();
    } else if (idle.size() > MOST) {
      idle.removeLast().close();
    }
    closeUnusable();
  }

  private void closeUnusable() throws IOException {
    for (Iterator<HandlerConnection> each = idle.iterator(); each.hasNext(); ) {
      HandlerConnection connection = each.next();
      if (!connection.isUsable()) {
        each.remove();
        connection.close();
      }
    }
  }

  /** Closes all connections, and those that are given back later at once. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    while (!idle.isEmpty()) {
      idle.removeLast().close();
    }
  }
}
