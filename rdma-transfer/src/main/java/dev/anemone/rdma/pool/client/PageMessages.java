// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads and writes pages that no network reaches, by asking their server for it. Thread-safe. */
final class PageMessages {

  /** Of one question; several are under way, and a message is gathered in memory. */
  private static final int PIECE_BYTES = 1 << 20;

  private final Caller caller;

  PageMessages(Caller caller) {
    this.caller = caller;
  }

  /** Reads a part of a page. */
  void read(
      int page, int from, MemoryRegion into, int position, int length, Completion completion) {
    List<CompletableFuture<?>> pieces = new ArrayList<>();
    for (int done = 0; done < length; done += PIECE_BYTES) {
      int to = position + done;
      int count = Math.min(PIECE_BYTES, length - done);
      Request read = new Request.ReadPage(page, from + done, count);
      pieces.add(
          caller
              .startWithinDeadline(read)
              .thenAccept(reply -> into.memory().position(to).put(bytes(reply, count))));
    }
    complete(pieces, completion);
  }

  private static ByteBuffer bytes(Reply reply, int count) {
    if (reply instanceof Reply.PageBytes page && page.bytes().remaining() == count) {
      return page.bytes();
    }
    throw new IllegalStateException("a pool server has answered with other bytes than were read");
  }

  /** Writes a part of a page; all can be seen when it has completed. */
  void write(MemoryRegion from, int position, int length, int page, int to, Completion completion) {
    List<CompletableFuture<?>> pieces = new ArrayList<>();
    for (int done = 0; done < length; done += PIECE_BYTES) {
      int count = Math.min(PIECE_BYTES, length - done);
      pieces.add(
          caller.startWithinDeadline(
              new Request.WritePage(page, to + done, from.memory().slice(position + done, count))));
    }
    complete(pieces, completion);
  }

  private static void complete(List<CompletableFuture<?>> pieces, Completion completion) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(pieces.toArray(CompletableFuture<?>[]::new))
            .whenComplete(
                (done, failed) ->
                    completion.completed(
                        failed == null
                            ? null
                            : new IOException(
                                "a page of the server's: " + failed.getMessage(), failed)));
    assert all != null;
  }
}
