// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * A port at which nobody listens, and that the kernel keeps for a while for the connections of a
 * process that has ended. Other programs ask for such ports nevertheless ({@code SO_REUSEADDR}),
 * UCX does not, and is told that it is busy.
 */
final class LingeringPort {

  /** Linux keeps connections for 60 s after their end, and nothing changes that. */
  private static final Duration LONGEST = Duration.ofSeconds(65);

  /** Between two tries. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final InetSocketAddress address;
  private final long endNanos = System.nanoTime() + LONGEST.toNanos();

  LingeringPort(InetSocketAddress address) {
    this.address = address;
  }

  /**
   * Waits for a moment, after listening has failed: nobody is told when the kernel has no use for
   * the port any more.
   *
   * @return false when that is of no use: the port is somebody else's, or the failure another one
   * @throws IOException when the thread is interrupted
   */
  boolean awaitAfter(IOException failure) throws IOException {
    boolean busy =
        failure.getCause() instanceof UcxException ucx
            && ucx.getStatus() == UcsConstants.STATUS.UCS_ERR_BUSY;
    if (!busy || System.nanoTime() > endNanos || isListenedAt()) {
      return false;
    }
    try {
      Thread.sleep(PAUSE.toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + address + " was not free", e);
    }
  }

  private boolean isListenedAt() {
    try (Socket socket = new Socket()) {
      socket.connect(address, (int) PAUSE.toMillis());
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      // Somebody who has too much to do, or a filter: not a port that is about to be free.
      return true;
    }
  }
}
