// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A peer in a JVM of its own, with memory that may be read and written. It echoes messages. */
final class PeerProcess implements AutoCloseable {

  private final Process process;
  private final InetSocketAddress address;
  private final RemoteRegion remote;

  private PeerProcess(Process process, InetSocketAddress address, RemoteRegion remote) {
    this.process = process;
    this.address = address;
    this.remote = remote;
  }

  /** Starts one, and waits until it listens. */
  static PeerProcess start(
      Class<? extends TransportProvider> provider, TestMemory memory, int bytes)
      throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:MaxDirectMemorySize=64m",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-cp",
                classPath(),
                PeerProcess.class.getName(),
                provider.getName(),
                memory.name(),
                Integer.toString(bytes))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    while (line != null && !line.startsWith("listening ")) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("the peer process ended before it listened");
    }
    List<String> words = List.of(line.split(" ", -1));
    return new PeerProcess(
        process,
        new InetSocketAddress(TestPeer.freePort().getAddress(), Integer.parseInt(words.get(1))),
        new RemoteRegion(bytes, ByteBuffer.wrap(HexFormat.of().parseHex(words.get(2)))));
  }

  /** The class path of this JVM, also where a launcher's class loader holds it. */
  private static String classPath() {
    if (PeerProcess.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(":"));
    }
    return System.getProperty("java.class.path");
  }

  InetSocketAddress address() {
    return address;
  }

  RemoteRegion remote() {
    return remote;
  }

  /** Ends it without giving it the chance to say so. */
  void kill() {
    process.destroyForcibly();
  }

  /** Keeps it from running until it is killed. */
  void stop() throws IOException, InterruptedException {
    Signals.stop(process);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the peer process does not end");
    }
  }

  /** The process: provider class, kind of its memory, bytes of it. Ends with its standard input. */
  public static void main(String[] args) throws Exception {
    TransportProvider provider =
        Class.forName(args[0])
            .asSubclass(TransportProvider.class)
            .getDeclaredConstructor()
            .newInstance();
    try (Transport transport = provider.open();
        MemoryRegion region =
            TestMemory.valueOf(args[1]).open(transport, Integer.parseInt(args[2]));
        Listener listener =
            transport.listen(TestPeer.freePort(), connection -> new EchoHandler())) {
      ByteBuffer key = region.remote().key();
      byte[] bytes = new byte[key.remaining()];
      key.get(bytes);
      System.out.println(
          "listening " + listener.address().getPort() + " " + HexFormat.of().formatHex(bytes));
      while (System.in.read() >= 0) {
        // Whoever started this process writes nothing; the end of the stream is its end.
      }
    }
  }
}
