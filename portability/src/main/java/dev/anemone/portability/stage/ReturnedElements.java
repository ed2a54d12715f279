// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.portability.harness.ReturnedData;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.SpillFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

/**
 * What a harness has returned and the task has not yet handed on, first in, first out: encoded, in
 * the heap up to a limit, and what comes then on disk, so that the thread that brings it never
 * waits. Threads of the harness add; the task's thread hands on.
 */
final class ReturnedElements implements ReturnedData.Sink, Closeable {

  /**
   * An output of the stage.
   *
   * @param coder of its elements, as the harness sends them
   * @param receiver of its elements in the task
   */
  record Output(Coder<Object> coder, Receiver receiver) {}

  /** Some elements of an output. */
  private sealed interface Part {

    Output output();
  }

  private record InHeap(Output output, ByteString bytes) implements Part {}

  private record OnDisk(Output output, long position, int length) implements Part {}

  private record Decoded(Output output, Object element) implements Part {}

  private final SpillFile file;
  private final long heapLimitBytes;
  private final Map<String, Output> outputs = new HashMap<>();
  private final Queue<Part> parts = new ArrayDeque<>();
  private long heapBytes;
  private int partsOnDisk;
  private boolean ended;
  private boolean closed;
  private IOException failure;

  /** Whether the task's thread has something to take out, or a failure to learn of. */
  private volatile boolean waiting;

  /**
   * Nothing yet.
   *
   * @param file is closed with this
   * @param heapLimitBytes of encoded elements that stay in the heap
   */
  ReturnedElements(SpillFile file, long heapLimitBytes) {
    this.file = file;
    this.heapLimitBytes = heapLimitBytes;
  }

  /** Makes an output known, by what writes it in the harness. */
  synchronized Output output(String transform, Coder<Object> coder, Receiver receiver) {
    Output output = new Output(coder, receiver);
    outputs.put(transform, output);
    return output;
  }

  /** A bundle begins. */
  synchronized void begin() {
    ended = false;
  }

  /** The bundle gives no more; also when its harness is gone. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  @Override
  public synchronized void add(String transform, ByteString elements) {
    if (closed) {
      return;
    }
    Output output = outputs.get(transform);
    if (heapBytes + elements.size() <= heapLimitBytes) {
      heapBytes += elements.size();
      parts.add(new InHeap(output, elements));
    } else {
      spill(output, elements);
    }
    wake();
  }

  private void wake() {
    waiting = true;
    notifyAll();
  }

  private void spill(Output output, ByteString elements) {
    try {
      long position = file.append(elements.asReadOnlyByteBuffer());
      parts.add(new OnDisk(output, position, elements.size()));
      partsOnDisk++;
    } catch (IOException e) {
      // Whoever takes out fails: the thread that brings elements is not the task's.
      failure = e;
    }
  }

  /** Adds an element that came with the end of a bundle: all of these are less than a message. */
  synchronized void addDecoded(Output output, Object element) {
    if (!closed) {
      parts.add(new Decoded(output, element));
      wake();
    }
  }

  /** Hands on all that is there; asked after each element, and mostly there is nothing. */
  void handOn() throws Exception {
    if (!waiting) {
      return;
    }
    Part part = poll();
    while (part != null) {
      handOn(part);
      part = poll();
    }
  }

  /** Hands on all that comes until the end of the bundle. */
  void handOnUntilEnd() throws Exception {
    Part part = take();
    while (part != null) {
      handOn(part);
      part = take();
    }
  }

  private synchronized Part poll() throws IOException {
    if (failure != null) {
      throw failure;
    }
    Part part = parts.poll();
    waiting = part != null;
    if (part instanceof InHeap inHeap) {
      heapBytes -= inHeap.bytes().size();
    }
    return part;
  }

  private synchronized Part take() throws IOException, InterruptedException {
    Part part = poll();
    while (part == null && !ended) {
      wait();
      part = poll();
    }
    return part;
  }

  private void handOn(Part part) throws Exception {
    if (part instanceof Decoded decoded) {
      decoded.output().receiver().accept(decoded.element());
      return;
    }
    byte[] bytes =
        part instanceof InHeap inHeap ? inHeap.bytes().toByteArray() : read((OnDisk) part);
    // Unlike a ByteString's stream it takes no lock for each byte.
    ByteSlice elements = new ByteSlice().set(bytes, 0, bytes.length);
    while (elements.available() > 0) {
      part.output().receiver().accept(part.output().coder().decode(elements));
    }
  }

  private byte[] read(OnDisk part) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(part.length());
    file.read(part.position(), bytes);
    synchronized (this) {
      partsOnDisk--;
      if (partsOnDisk == 0) {
        file.clear();
      }
    }
    return bytes.array();
  }

  /** Drops what is there, and what still comes. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    parts.clear();
    file.close();
  }
}
