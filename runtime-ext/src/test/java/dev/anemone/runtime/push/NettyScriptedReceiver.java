// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Speaks TCP. */
final class NettyScriptedReceiver implements ScriptedReceiver {

  private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final List<TestEntry> received = new ArrayList<>();
  private final CompletableFuture<Void> played;
  private Socket socket;
  private DataInputStream in;
  private DataOutputStream out;

  NettyScriptedReceiver(Script script) throws IOException {
    played =
        CompletableFuture.runAsync(
            () -> {
              try (Socket accepted = server.accept()) {
                socket = accepted;
                in = new DataInputStream(socket.getInputStream());
                out = new DataOutputStream(socket.getOutputStream());
                script.play(this);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @Override
  public PushAddress address() {
    return new PushAddress(
        PushWires.NETTY,
        server.getInetAddress().getHostAddress(),
        server.getLocalPort(),
        "scripted");
  }

  @Override
  public void challenge(JobSecret secret) throws IOException {
    in.skipNBytes(PushProtocol.PREAMBLE_BYTES - Integer.BYTES);
    Hello hello = Hello.of(read(in.readInt()));
    ReceiverHandshake handshake = new ReceiverHandshake(secret, hello, read(JobSecret.NONCE_BYTES));
    out.write(ByteBufUtil.getBytes(handshake.challenge(UnpooledByteBufAllocator.DEFAULT)));
  }

  private ByteBuf read(int bytes) throws IOException {
    return Unpooled.wrappedBuffer(in.readNBytes(bytes));
  }

  @Override
  public void welcome() throws IOException {
    challenge(PushHarness.SECRET);
    in.skipNBytes(JobSecret.PROOF_BYTES);
    reply('W', 0);
  }

  @Override
  public void reply(char kind, int argument) throws IOException {
    out.write(kind);
    out.writeInt(argument);
  }

  @Override
  public int readBatch() throws IOException {
    in.skipNBytes(1);
    int number = in.readInt();
    int entries = in.readInt();
    int[] partitions = new int[entries];
    int[] lengths = new int[entries];
    for (int i = 0; i < entries; i++) {
      partitions[i] = in.readInt();
      lengths[i] = in.readInt();
      in.skipNBytes(Long.BYTES);
    }
    for (int i = 0; i < entries; i++) {
      received.addAll(TestEntry.in(partitions[i], in.readNBytes(lengths[i])));
    }
    return number;
  }

  @Override
  public void hangUp() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public long awaitEnd() throws IOException {
    return in.transferTo(OutputStream.nullOutputStream());
  }

  @Override
  public List<TestEntry> received() throws Exception {
    played.get(20, TimeUnit.SECONDS);
    return received;
  }

  @Override
  public void close() throws Exception {
    server.close();
    played.handle((done, failure) -> null).get(20, TimeUnit.SECONDS);
  }
}
