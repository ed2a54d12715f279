// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Completion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The frames that a connection sends, and the requests that wait for an answer.
 *
 * <p>Whoever brings a frame writes it, and what others bring meanwhile, straight to the socket: no
 * thread has to be woken for a small operation. When the socket is full or the thread has written
 * enough for others, the event loop goes on. A peer answers in the order of requests, so that those
 * that wait are a queue.
 *
 * <p>Thread-safe, but for what is said to be the event loop's.
 */
final class Outgoing {

  /** Operations that can be under way at a time. */
  static final int LIMIT = 128;

  private static final int ROUNDS_FOR_OTHERS = 4;

  private final TcpConnection owner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Deque<Frame> free = new ArrayDeque<>();
  private final Deque<Frame> held = new ArrayDeque<>();
  private final Deque<Frame> queue = new ArrayDeque<>();
  private final Deque<Frame> awaiting = new ArrayDeque<>();
  private boolean open = true;
  private int underWay;
  private int answers;
  private long lastRequest;

  /** Some thread is the writer. */
  private boolean writing;

  /** When the first frame was begun that the writer has; when there is one. */
  private long batchBegunNanos;

  /** The writer is the event loop, and does nothing just now. */
  private boolean parked;

  /** The writer's own. */
  private final Batch batch = new Batch();

  Outgoing(TcpConnection owner) {
    this.owner = owner;
  }

  /**
   * A frame for an operation; waits for room, unless in a callback. To be handed in by {@link
   * #begin}.
   *
   * @return null when the connection has ended
   */
  Frame take() {
    lock.lock();
    try {
      // Bounded: what is under way ends by the connection's deadline.
      while (open && !Callbacks.isInside() && !hasRoom()) {
        room.awaitUninterruptibly();
      }
      if (!open) {
        return null;
      }
      Frame frame = takeFree();
      if (hasRoom()) {
        reserve(frame);
      }
      return frame;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom() {
    return underWay < LIMIT && held.isEmpty();
  }

  private void reserve(Frame frame) {
    underWay++;
    frame.reserve();
  }

  private Frame takeFree() {
    Frame frame = free.poll();
    return frame == null ? new Frame() : frame;
  }

  /** Begins an operation; false when the connection has ended meanwhile. */
  boolean begin(Frame frame) {
    lock.lock();
    try {
      if (!open) {
        return false;
      }
      if (!frame.isReserved() && hasRoom()) {
        reserve(frame);
      }
      if (frame.isReserved()) {
        enqueue(frame);
      } else {
        held.add(frame);
      }
    } finally {
      lock.unlock();
    }
    if (!owner.isReading()) {
      drain();
    }
    return true;
  }

  private void enqueue(Frame frame) {
    frame.setRequest(++lastRequest);
    frame.begin();
    queue.add(frame);
  }

  /**
   * Answers the peer; on the event loop, which calls {@link #drain} when it has read enough.
   *
   * @param region null when the answer has no bytes
   */
  void answer(Opcode opcode, long request, TcpRegion region, long offset, int length)
      throws ViolationException {
    lock.lock();
    try {
      if (answers == LIMIT) {
        throw new ViolationException("more than " + LIMIT + " requests are under way");
      }
      answers++;
      Frame frame = takeFree().set(opcode, length, request, null);
      if (region != null) {
        frame.withMemory(region, (int) offset, length);
      }
      frame.begin();
      queue.add(frame);
    } finally {
      lock.unlock();
    }
  }

  /** The request that the peer has to answer next. */
  Frame awaited(Opcode opcode, long request) throws ViolationException {
    lock.lock();
    try {
      Frame frame = awaiting.peek();
      if (frame == null || frame.opcode() != opcode || frame.request() != request) {
        throw new ViolationException("an answer to request " + request + ", which is not due");
      }
      return frame;
    } finally {
      lock.unlock();
    }
  }

  /** The answer that was awaited is here; on the event loop. */
  void answered(Frame frame) {
    lock.lock();
    try {
      awaiting.remove();
    } finally {
      lock.unlock();
    }
    owner.complete(frame.completion(), null);
    endUse(frame);
  }

  private void endUse(Frame frame) {
    lock.lock();
    try {
      if (!frame.endUse()) {
        return;
      }
      if (frame.completion() == null) {
        answers--;
      } else {
        underWay--;
        makeRoom();
      }
      frame.clear();
      free.push(frame);
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom() {
    Frame next = held.poll();
    if (next == null) {
      room.signal();
    } else {
      reserve(next);
      enqueue(next);
    }
  }

  /** Writes what is there to write, unless another thread does. */
  void drain() {
    lock.lock();
    try {
      if (writing || queue.isEmpty()) {
        return;
      }
      writing = true;
      batchBegunNanos = queue.peek().begunNanos();
    } finally {
      lock.unlock();
    }
    write();
  }

  /** Goes on where the socket was full; on the event loop. */
  void resume() {
    lock.lock();
    try {
      if (!parked || !open) {
        return;
      }
      parked = false;
    } finally {
      lock.unlock();
    }
    write();
  }

  private void write() {
    int rounds = owner.isOnLoop() ? Integer.MAX_VALUE : ROUNDS_FOR_OTHERS;
    while (fillBatch()) {
      if (rounds-- == 0) {
        park(false);
        return;
      }
      try {
        settle(batch.send(owner.channel()));
      } catch (IOException e) {
        owner.fail(e);
        continue;
      }
      if (!batch.isEmpty()) {
        park(true);
        return;
      }
    }
  }

  /** Says whether there is something to write; otherwise the thread is no longer the writer. */
  private boolean fillBatch() {
    boolean ended;
    lock.lock();
    try {
      ended = !open;
      while (!ended && !batch.isFull() && !queue.isEmpty()) {
        Frame frame = queue.remove();
        batch.add(frame);
        if (frame.isAnswered()) {
          awaiting.add(frame);
        }
      }
      if (!ended && !batch.isEmpty()) {
        batchBegunNanos = batch.get(0).begunNanos();
        return true;
      }
      writing = false;
    } finally {
      lock.unlock();
    }
    if (ended) {
      owner.writerLeft();
    }
    return false;
  }

  private void park(boolean untilWritable) {
    boolean ended;
    lock.lock();
    try {
      parked = true;
      batchBegunNanos = batch.get(0).begunNanos();
      ended = !open;
    } finally {
      lock.unlock();
    }
    if (ended) {
      owner.writerLeft();
    } else {
      owner.resumeOnLoop(untilWritable);
    }
  }

  /** Ends the first frames of the batch, which are sent. */
  private void settle(int sent) {
    for (int i = 0; i < sent; i++) {
      Frame frame = batch.get(i);
      if (!frame.isAnswered() && frame.completion() != null) {
        owner.complete(frame.completion(), null);
      }
      endUse(frame);
    }
    batch.drop(sent);
  }

  /** When the oldest operation under way was begun; now, when there is none. */
  long oldestNanos(long now) {
    lock.lock();
    try {
      long oldest = now;
      if (writing) {
        oldest = earlier(oldest, batchBegunNanos);
      }
      oldest = queue.isEmpty() ? oldest : earlier(oldest, queue.peek().begunNanos());
      return awaiting.isEmpty() ? oldest : earlier(oldest, awaiting.peek().begunNanos());
    } finally {
      lock.unlock();
    }
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  /**
   * Begins nothing from now on; false when that was so already.
   *
   * @param first is run before anybody can see it
   */
  boolean close(Runnable first) {
    lock.lock();
    try {
      if (!open) {
        return false;
      }
      first.run();
      open = false;
      room.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether no thread writes any longer; stays so after {@link #close}. On the event loop. */
  boolean isIdle() {
    lock.lock();
    try {
      return !writing || parked;
    } finally {
      lock.unlock();
    }
  }

  /** Whether whole frames have been sent; when idle. */
  boolean isBetweenFrames() {
    return batch.isEmpty() || !batch.get(0).isBegun();
  }

  /** Those who are to be told that their operations have failed; when closed and idle. */
  List<Completion> abandon() {
    lock.lock();
    try {
      List<Completion> completions = new ArrayList<>();
      awaiting.forEach(frame -> completions.add(frame.completion()));
      for (int i = 0; i < batch.size(); i++) {
        if (!batch.get(i).isAnswered()) {
          completions.add(batch.get(i).completion());
        }
      }
      queue.forEach(frame -> completions.add(frame.completion()));
      held.forEach(frame -> completions.add(frame.completion()));
      // Answers to the peer have none.
      completions.removeIf(Objects::isNull);
      return completions;
    } finally {
      lock.unlock();
    }
  }
}
