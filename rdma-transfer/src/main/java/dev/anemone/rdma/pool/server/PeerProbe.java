// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.UUID;

/**
 * Finds out what has become of a server whose connection has ended: asks it as a client does.
 * Thread-safe.
 *
 * @param self who wants to know
 */
record PeerProbe(Transport transport, PoolServerOptions options, Reply.Peer self) {

  /** What has become of it. */
  enum Verdict {
    /** That incarnation has ended. */
    DEAD,
    /** It answers, and has not gone on without this server. */
    LIVES,
    /** It answers, and has gone on without this server. */
    WENT_ON,
    /** There is no answer. */
    UNKNOWN
  }

  /**
   * Asks, no longer than the deadline.
   *
   * @param incarnation that of the server that was lost
   */
  Verdict ask(int server, long incarnation) {
    ServerAddress address = options.servers().get(server);
    Caller.Identity stranger =
        new Caller.Identity(
            Peers.poolName(options.servers()), UUID.randomUUID(), Caller.Identity.CLIENT, 0);
    try (Caller caller =
        Caller.connect(
            transport, address, options.token(), stranger, options.deadline(), () -> {})) {
      if (caller.welcome().incarnation() != incarnation) {
        return Verdict.DEAD;
      }
      Reply.Peers told = caller.call(new Request.Peers(), Reply.Peers.class);
      return told.goneOnWithout().contains(self) ? Verdict.WENT_ON : Verdict.LIVES;
    } catch (IOException e) {
      return nobodyListens(e) ? Verdict.DEAD : Verdict.UNKNOWN;
    }
  }

  /**
   * Whether a server is dead for certain: its machine says that nobody listens. One that cannot be
   * found, or that no packet reaches, may live and have names.
   */
  static boolean nobodyListens(Throwable failure) {
    boolean refused = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException
          || cause instanceof NoRouteToHostException
          || cause instanceof UnknownHostException) {
        return false;
      }
      refused |=
          cause instanceof ConnectException
              && !String.valueOf(cause.getMessage()).contains("timed out");
    }
    return refused;
  }
}
