// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.transport.TransportProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Speaks by a transport. */
final class TransportScriptedReceiver implements ScriptedReceiver, MessageHandler {

  private static final ByteBuffer END = ByteBuffer.allocate(0);

  private final Transport transport;
  private final Listener listener;
  private final CompletableFuture<Connection> accepted = new CompletableFuture<>();
  private final BlockingQueue<ByteBuffer> messages = new LinkedBlockingQueue<>();
  private final List<RemoteRegion> regions = new ArrayList<>();
  private final List<TestEntry> received = new ArrayList<>();
  private final CompletableFuture<Void> played;

  TransportScriptedReceiver(String name, Script script) throws IOException {
    transport = Transports.found().open(name);
    listener =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            connection -> {
              accepted.complete(connection);
              return this;
            });
    played =
        CompletableFuture.runAsync(
            () -> {
              try {
                script.play(this);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @Override
  public PushAddress address() {
    InetSocketAddress at = listener.address();
    return new PushAddress(
        transport.name(), at.getAddress().getHostAddress(), at.getPort(), "scripted");
  }

  @Override
  public void onMessage(Connection connection, ByteBuffer message) {
    messages.add(ByteBuffer.allocate(message.remaining()).put(message).flip());
  }

  @Override
  public void onClosed(Connection connection, IOException cause) {
    messages.add(END);
  }

  private static <T> T await(CompletableFuture<T> future) throws IOException {
    try {
      return future.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /** Runs an operation and waits for its end. */
  private static void complete(Consumer<Completion> operation) throws IOException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    operation.accept(
        failure -> {
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
    await(done);
  }

  private ByteBuffer next() throws IOException {
    try {
      ByteBuffer message = messages.poll(20, TimeUnit.SECONDS);
      if (message == null || !message.hasRemaining()) {
        throw new EOFException("no message");
      }
      return message;
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  @Override
  public void challenge(JobSecret secret) throws IOException {
    ByteBuf greeting = Unpooled.wrappedBuffer(next());
    greeting.skipBytes(PushProtocol.PREAMBLE_BYTES - Integer.BYTES);
    Hello hello = Hello.of(greeting.readSlice(greeting.readInt()));
    ByteBuf challenge =
        new ReceiverHandshake(secret, hello, greeting).challenge(UnpooledByteBufAllocator.DEFAULT);
    send(challenge.nioBuffer());
    challenge.release();
  }

  private void send(ByteBuffer message) throws IOException {
    Connection connection = await(accepted);
    complete(done -> connection.send(message, done));
  }

  @Override
  public void welcome() throws IOException {
    challenge(PushHarness.SECRET);
    next();
    reply('W', 0);
  }

  @Override
  public void reply(char kind, int argument) throws IOException {
    ByteBuffer reply = ByteBuffer.allocateDirect(Reply.BYTES);
    send(reply.put((byte) kind).putInt(argument).flip());
  }

  @Override
  public int readBatch() throws IOException {
    ByteBuffer message = next();
    while (message.get() == TransportProtocol.REGION) {
      message.getInt();
      regions.add(new RemoteRegion(message.getLong(), message));
      message = next();
    }
    int number = message.getInt();
    int[] partitions = new int[message.getInt()];
    int[] lengths = new int[partitions.length];
    int bytes = 0;
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = message.getInt();
      lengths[i] = message.getInt();
      bytes += lengths[i];
      message.getLong();
    }
    message.getInt();
    ByteBuffer payload = read(message, bytes);
    for (int i = 0; i < partitions.length; i++) {
      byte[] entry = new byte[lengths[i]];
      payload.get(entry);
      received.addAll(TestEntry.in(partitions[i], entry));
    }
    return number;
  }

  private ByteBuffer read(ByteBuffer pages, int bytes) throws IOException {
    Connection connection = await(accepted);
    ByteBuffer payload = ByteBuffer.allocateDirect(bytes);
    try (MemoryRegion local = transport.register(payload)) {
      for (int at = 0; at < bytes; at += PagePool.PAGE_BYTES) {
        RemoteRegion region = regions.get(pages.getInt());
        int offset = pages.getInt();
        int position = at;
        int length = Math.min(PagePool.PAGE_BYTES, bytes - at);
        complete(done -> connection.read(region, offset, local, position, length, done));
      }
    }
    return payload;
  }

  @Override
  public void hangUp() throws IOException {
    await(accepted).close();
  }

  @Override
  public long awaitEnd() throws IOException {
    long bytes = 0;
    try {
      while (true) {
        bytes += next().remaining();
      }
    } catch (EOFException e) {
      // The sender has disconnected.
      return bytes;
    }
  }

  @Override
  public List<TestEntry> received() throws Exception {
    played.get(20, TimeUnit.SECONDS);
    return received;
  }

  @Override
  public void close() throws Exception {
    listener.close();
    // The sender may have gone before it had connected.
    messages.add(END);
    played.handle((done, failure) -> null).get(20, TimeUnit.SECONDS);
    transport.close();
  }
}
