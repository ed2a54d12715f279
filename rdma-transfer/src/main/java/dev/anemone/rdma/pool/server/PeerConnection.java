// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.NameChange;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The way to another server. Changes of names are put into a queue under the lock of the names,
 * which gives them their order, and sent without it, since sending can wait. Thread-safe.
 */
final class PeerConnection {

  private final Caller caller;
  private final Runnable onLost;
  private final Queue<Queued> queue = new ConcurrentLinkedQueue<>();

  private record Queued(NameChange change, CompletableFuture<Reply> answer) {}

  /**
   * A way.
   *
   * @param onLost finds out what has become of the server when it has not done what it was asked
   */
  PeerConnection(Caller caller, Runnable onLost) {
    this.caller = caller;
    this.onLost = onLost;
  }

  Caller caller() {
    return caller;
  }

  /** Gives a change its place in the order; does not wait. */
  CompletableFuture<Reply> enqueue(NameChange change) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    queue.add(new Queued(change, answer));
    return answer;
  }

  /** Sends what is in the queue; not to be called with the lock of the names. */
  synchronized void drain() {
    for (Queued next = queue.poll(); next != null; next = queue.poll()) {
      CompletableFuture<Reply> answer = next.answer();
      CompletableFuture<Boolean> relayed =
          caller
              .start(new Request.Apply(next.change()))
              .handle(
                  (reply, failure) ->
                      failure == null
                          ? answer.complete(reply)
                          : answer.completeExceptionally(failure));
      relayed.exceptionally(failure -> false);
    }
  }

  /** Asks for a sign of life, and ends the connection when there is none in time. */
  void ping(Duration deadline) {
    CompletableFuture<Reply> sign =
        caller
            .start(new Request.Exist(List.of()))
            .orTimeout(deadline.toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    caller.close();
                  }
                });
    sign.exceptionally(failure -> null);
  }

  /**
   * Waits until the other server has made a change. A server that has not is not a copy any longer,
   * so its connection ends, and this one goes on alone, if it may.
   *
   * @return whether it has
   */
  boolean awaitApplied(CompletableFuture<Reply> answer) {
    try {
      caller.await(answer, Reply.Done.class);
      return true;
    } catch (IOException e) {
      caller.close();
      onLost.run();
      return false;
    }
  }
}
