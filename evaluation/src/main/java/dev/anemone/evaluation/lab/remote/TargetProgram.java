// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.remote;

import dev.anemone.rdma.pmem.PersistentMemoryFile;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The process whose memory is read and written. It says {@code listening}, its port, the key of its
 * memory, and how that is mapped; it ends with its standard input.
 */
public final class TargetProgram {
  /** The part of the memory that a client has, and the largest operation, in bytes. */
  public static final int SLOT_BYTES = 1 << 20;

  /** Instead of the name of a transport. */
  public static final String NIO = "nio";

  /** Instead of a directory. */
  public static final String DRAM = "dram";

  static final String LISTENING = "listening";

  private TargetProgram() {}

  /** Arguments: name of the transport, directory of the memory, slots. */
  public static void main(String[] args) throws IOException {
    int bytes = Math.multiplyExact(Integer.parseInt(args[2]), SLOT_BYTES);
    if (args[1].equals(DRAM)) {
      serveDram(args[0], bytes);
      return;
    }
    Path file = Path.of(args[1], "anemone-throughput-" + ProcessHandle.current().pid());
    try (PersistentMemoryFile memory = PersistentMemoryFile.open(file, bytes)) {
      // The mapping keeps the bytes; a process that is killed leaves no file behind.
      Files.delete(file);
      serve(args[0], memory.slice(0, bytes), memory.mapping().toString());
    }
  }

  private static void serveDram(String kind, int bytes) throws IOException {
    if (kind.equals(NIO)) {
      serveNio(ByteBuffer.allocateDirect(bytes), DRAM);
      return;
    }
    try (Transport transport = Transports.found().open(kind);
        MemoryRegion region = transport.allocate(bytes)) {
      serve(transport, region, DRAM);
    }
  }

  private static void serve(String kind, ByteBuffer memory, String mapping) throws IOException {
    if (kind.equals(NIO)) {
      serveNio(memory, mapping);
      return;
    }
    try (Transport transport = Transports.found().open(kind);
        MemoryRegion region = transport.register(memory)) {
      serve(transport, region, mapping);
    }
  }

  private static void serveNio(ByteBuffer memory, String mapping) throws IOException {
    tell(NioTarget.listen(memory), ByteBuffer.allocate(1), mapping);
    awaitEnd();
  }

  private static void serve(Transport transport, MemoryRegion region, String mapping)
      throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Listener listener = transport.listen(any, connection -> TransportClient.SILENT)) {
      tell(listener.address().getPort(), region.remote().key(), mapping);
      awaitEnd();
    }
  }

  private static void tell(int port, ByteBuffer key, String mapping) {
    byte[] bytes = new byte[key.remaining()];
    key.get(bytes);
    System.out.println(
        LISTENING + " " + port + " " + HexFormat.of().formatHex(bytes) + " " + mapping);
  }

  private static void awaitEnd() throws IOException {
    while (System.in.read() >= 0) {
      // Nobody writes to it; the end of the stream is the end of who started this process.
    }
  }
}
