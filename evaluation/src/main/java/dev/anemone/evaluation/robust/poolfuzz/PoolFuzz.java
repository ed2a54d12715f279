// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolfuzz;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.robust.poolfuzz.FrameMutations.Kind;
import dev.anemone.evaluation.robust.poolfuzz.FrameMutations.Mutant;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-fuzz}: a server gets damaged frames, of strangers and of clients. */
@Command(name = "pool-fuzz")
public final class PoolFuzz extends ExperimentCommand {
  private static final int PAGE_BYTES = 4 << 10;
  private static final long CAPACITY = 4L << 20;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final AccessToken TOKEN = AccessToken.of("the token of a pool that is fuzzed");
  private static final PoolPath CANARY = PoolPath.of("/canary");
  private static final String CANARY_TEXT = "tweetingCanary";
  private static final byte[] CANARY_BYTES = CANARY_TEXT.getBytes(StandardCharsets.US_ASCII);

  /** Before the server hangs up on one who asks too much. */
  private static final int FRAMES_OF_A_STRANGER = 6;

  private static final int FRAMES_OF_A_CLIENT = 100;
  private static final int MOST_QUESTIONS = 100;
  private static final int MOST_WRONG = 20;
  private static final int PROGRESS = 10_000;
  private static final int SHOWN_BYTES = 200;
  private static final long MOST_GROWTH_BYTES = 32L << 20;
  private static final long POLL_MS = 20;

  @Option(names = "--frames", description = "How many.")
  private int frames = 100_000;

  @Option(names = "--seed", description = "Other frames with another one.")
  private long seed = 1;

  private final List<String> wrong = new ArrayList<>();
  private final Map<Kind, Integer> sent = new EnumMap<>(Kind.class);
  private Transport transport;
  private ServerAddress address;
  private int hungUp;

  /**
   * @param sent frames by how they were damaged
   * @param hungUp connections that the server ended
   * @param heapGrowth bytes of the heap that the second half of the frames has left
   * @param wrong what must not be, in words; empty when all is well
   */
  record Figures(
      long seed,
      int frames,
      double seconds,
      Map<Kind, Integer> sent,
      int hungUp,
      long heapGrowth,
      List<String> wrong) {}

  @Override
  protected void check() {
    require("--frames", frames, frames >= 1, "there must be a frame");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new ServerAddress("127.0.0.1", free.getLocalPort());
    }
    PoolServerOptions options =
        new PoolServerOptions(
            address,
            List.of(address),
            List.of(TierOptions.dram(CAPACITY), TierOptions.file(directory(), CAPACITY)),
            PAGE_BYTES,
            LEASE,
            DEADLINE,
            TOKEN);
    try (Transport opened = Transports.found().open("tcp");
        PoolServer server = PoolServer.start(opened, options);
        PoolClient healthy =
            PoolClient.connect(
                opened, PoolClientOptions.of(List.of(address), TOKEN).withBuffers(1))) {
      transport = opened;
      try (var writer = healthy.create(CANARY, Lifetime.POOL)) {
        writer.write(ByteBuffer.wrap(CANARY_BYTES));
        writer.commit();
      }
      FrameMutations mutations = new FrameMutations(seed, RightFrames.of(opened, address, TOKEN));
      long start = System.nanoTime();
      send(mutations, frames / 2, healthy);
      long half = usedHeap();
      send(mutations, frames - frames / 2, healthy);
      double seconds = (System.nanoTime() - start) / 1e9;
      long growth = usedHeap() - half;
      must(growth < MOST_GROWTH_BYTES, "the heap grew by " + growth + " bytes");
      must(isSettled(server), "pages are nobody's: " + server.status());
      publish(new Figures(seed, frames, seconds, sent, hungUp, growth, wrong));
      return wrong.isEmpty();
    }
  }

  /** Connections of strangers and clients, in turn. */
  private void send(FrameMutations mutations, int count, PoolClient healthy)
      throws IOException, InterruptedException {
    int left = count;
    while (left > 0) {
      int strangers = Math.min(left, FRAMES_OF_A_STRANGER);
      asStranger(mutations, strangers);
      left -= strangers;
      int clients = asClient(mutations, Math.min(left, FRAMES_OF_A_CLIENT));
      left -= clients;
      must(canary(healthy), "the canary is not what was written");
      int done = sent.values().stream().mapToInt(Integer::intValue).sum();
      if (done / PROGRESS > (done - strangers - clients) / PROGRESS) {
        progress("%d frames, %d wrong", done, wrong.size());
      }
    }
  }

  private void asStranger(FrameMutations mutations, int count)
      throws IOException, InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    MessageHandler handler =
        new MessageHandler() {
          @Override
          public void onMessage(Connection connection, ByteBuffer message) {
            look("a stranger", bytes(message));
          }

          @Override
          public void onClosed(Connection connection, IOException cause) {
            closed.countDown();
          }
        };
    Connection connection = transport.connect(address.socketAddress(), handler, DEADLINE);
    for (int i = 0; i < count; i++) {
      send(connection, mutations.next());
    }
    hungUp += connection.isOpen() ? 0 : 1;
    connection.close();
    must(closed.await(DEADLINE.toSeconds(), TimeUnit.SECONDS), "a connection does not end");
  }

  /** Sends frames until there are so many, or the server hangs up; returns their number. */
  private int asClient(FrameMutations mutations, int count) throws IOException {
    Tap tap = new Tap(transport, out -> {}, in -> look("a client", in));
    Caller.Identity identity =
        new Caller.Identity(
            List.of(address).toString(), UUID.randomUUID(), Caller.Identity.CLIENT, 0);
    Caller caller = Caller.connect(tap, address, TOKEN, identity, DEADLINE, () -> {});
    int done = 0;
    while (done < count && caller.isOpen()) {
      send(caller.connection(), mutations.next());
      done++;
    }
    must(
        isAnswered(caller) || !caller.isOpen(),
        "a client's question was not answered, nor refused");
    hungUp += caller.isOpen() ? 0 : 1;
    caller.closeAndAwait();
    return done;
  }

  /** Whether a question gets its answer: not at once, as frames had the numbers of questions. */
  private static boolean isAnswered(Caller caller) {
    for (int i = 0; i < MOST_QUESTIONS && caller.isOpen(); i++) {
      try {
        caller.call(new Request.Status(), Reply.Full.class);
        return true;
      } catch (IOException otherAnswer) {
        // That of a frame with the same number, or the end of the connection.
      }
    }
    return false;
  }

  private void send(Connection connection, Mutant frame) {
    sent.merge(frame.kind(), 1, Integer::sum);
    connection.send(frame.bytes(), failure -> {});
  }

  private static byte[] bytes(ByteBuffer message) {
    byte[] bytes = new byte[message.remaining()];
    message.get(bytes);
    return bytes;
  }

  /** Looks at what a server says. */
  private void look(String who, byte[] message) {
    String text = new String(message, StandardCharsets.ISO_8859_1);
    must(!text.contains(CANARY_TEXT), who + " got the canary");
    must(!text.contains("an error of the server"), who + " was told: " + shown(message, text));
  }

  private static String shown(byte[] message, String text) {
    String hex = HexFormat.of().formatHex(message, 0, Math.min(message.length, SHOWN_BYTES));
    return text.replaceAll("[^ -~]", ".") + " (" + hex + ")";
  }

  private static boolean canary(PoolClient healthy) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(CANARY_BYTES.length);
    healthy.open(CANARY).read(0, bytes);
    return bytes.flip().equals(ByteBuffer.wrap(CANARY_BYTES));
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /**
   * Whether, soon after the last lease, every page that is not free is an object's. A server tells
   * nobody when a lease has ended, so it is asked, until the deadline.
   */
  private static boolean isSettled(PoolServer server) throws InterruptedException {
    long due = System.nanoTime() + DEADLINE.toNanos();
    ServerStatus status = server.status();
    while (status.usedBytes() != status.sealedBytes() && System.nanoTime() - due < 0) {
      Thread.sleep(POLL_MS);
      status = server.status();
    }
    return status.usedBytes() == status.sealedBytes();
  }

  private synchronized void must(boolean right, String otherwise) {
    if (!right && wrong.size() < MOST_WRONG) {
      wrong.add(otherwise);
    }
  }

  private void publish(Figures figures) throws IOException {
    MarkdownTable table = new MarkdownTable("frames; sent");
    figures
        .sent()
        .forEach(
            (kind, count) -> table.row(kind.name().toLowerCase(Locale.ROOT), count.toString()));
    publish(
        figures,
        text(
            "%d frames with seed %d in %.0f s at a pool server, which hung up %d times",
            frames, seed, figures.seconds(), hungUp),
        table,
        "Wrong: " + (wrong.isEmpty() ? "nothing" : String.join("\n", wrong)));
  }
}
