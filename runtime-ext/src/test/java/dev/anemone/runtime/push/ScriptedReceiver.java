package dev.anemone.runtime.push;

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

/** Speaks the protocol of a receiver as a test wants it, to one sender. */
final class ScriptedReceiver implements AutoCloseable {

  /** What it does with a sender. */
  interface Script {
    void play(ScriptedReceiver receiver) throws IOException;
  }

  private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final List<TestEntry> received = new ArrayList<>();
  private final CompletableFuture<Void> played;
  private Socket socket;
  private DataInputStream in;
  private DataOutputStream out;

  ScriptedReceiver(Script script) throws IOException {
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

  PushAddress address() {
    return new PushAddress(
        server.getInetAddress().getHostAddress(), server.getLocalPort(), "scripted");
  }

  void welcome() throws IOException {
    in.skipNBytes(PushProtocol.PREAMBLE_BYTES - Integer.BYTES);
    in.skipNBytes(in.readInt());
    reply('W', 0);
  }

  void reply(char kind, int argument) throws IOException {
    out.write(kind);
    out.writeInt(argument);
  }

  /** Reads a batch and remembers its entries. */
  int readBatch() throws IOException {
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

  /** Closes its half of the connection, behind the replies. */
  void hangUp() throws IOException {
    socket.shutdownOutput();
  }

  /** Reads until the sender disconnects. */
  void awaitEnd() throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  /** The entries of the batches that were read; after the script has been played. */
  List<TestEntry> received() throws Exception {
    played.get(20, TimeUnit.SECONDS);
    return received;
  }

  @Override
  public void close() throws Exception {
    server.close();
    played.handle((done, failure) -> null).get(20, TimeUnit.SECONDS);
  }
}
