// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static dev.anemone.runtime.tez.handler.FetchedBlocks.assertFetched;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.bytes;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.partitions;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.testing.SilentServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that fail, and answers that are wrong. */
@Timeout(30)
class HandlerFailuresTest {

  private static final BlockId ID = new BlockId("attempt_1700000000000_0007_1_00_000004_0_10004");
  private static final byte[][] PARTITIONS = {bytes(1, 10_000), bytes(2, 300_000), bytes(3, 5000)};

  private static final FetchSettings SETTINGS = settings(Duration.ofSeconds(10));

  @TempDir static Path disks;
  private static TestNode node;

  @TempDir Path scratchRoot;
  private LocalFileStore scratch;
  private ShuffleHandlerBlocks remote;
  private final ReadStatistics statistics = new ReadStatistics();

  @BeforeAll
  static void start() throws IOException {
    node = TestNode.start(disks);
    write(node.blocks(), ID, WriteOrder.BY_PARTITION, PARTITIONS);
  }

  @AfterAll
  static void stop() throws IOException {
    node.close();
  }

  @BeforeEach
  void open() {
    scratch = new LocalFileStore(scratchRoot);
    remote = node.seenFromAfar(scratch, SETTINGS);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    remote.close();
    assertThat(scratch.usedBytes()).isZero();
    try (Stream<Path> files = Files.list(scratchRoot)) {
      assertThat(files).isEmpty();
    }
  }

  private static FetchSettings settings(Duration readTimeout) {
    return new FetchSettings(
        Duration.ofSeconds(10), readTimeout, Duration.ofSeconds(30), Duration.ofSeconds(30));
  }

  private void assertAllFetched(TestProxy proxy) throws IOException {
    try (BlockReader reader = remote.fetch(proxy.location(), ID, partitions(0, 1, 2), statistics)) {
      assertFetched(reader, ID, partitions(0, 1, 2), PARTITIONS);
    }
  }

  @Test
  void aBlockWhoseConnectionIsCutCanBeFetchedAgain() throws IOException {
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.cutAfter(200_000).only(1))) {
      assertThatThrownBy(() -> assertAllFetched(proxy)).isInstanceOf(HostFailureException.class);
      assertAllFetched(proxy);
      assertThat(proxy.connections()).isEqualTo(2);
    }
  }

  @Test
  void aConnectionThatIsCutIsTheNodesFailure() throws IOException {
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.cutAfter(200_000))) {
      assertThatThrownBy(() -> assertAllFetched(proxy))
          .isInstanceOf(HostFailureException.class)
          .hasMessageStartingWith("partition 1 of block " + ID)
          .hasMessageContaining(proxy.location().toString())
          .hasMessageContaining("bytes still to come")
          .matches(failure -> !((HostFailureException) failure).answered());
      assertThat(proxy.connections()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionThatTheNodeHasClosedMeanwhileIsNoFailure() throws IOException {
    int firstAnswer = answerBytes(0);
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.cutAfter(firstAnswer).only(1));
        ShuffleHandlerBlocks impatient = node.seenFromAfar(scratch, SETTINGS)) {
      impatient.fetch(proxy.location(), ID, partitions(0), statistics).close();
      impatient.fetch(proxy.location(), ID, partitions(0), statistics).close();
      assertThat(proxy.connections()).isEqualTo(2);
    }
  }

  /** How long an answer is with its head. */
  private int answerBytes(int partition) throws IOException {
    int[] length = new int[1];
    try (TestProxy proxy =
        node.proxy(
            TestProxy.Meddling.edit(
                (head, body, edited) -> {
                  length[0] = head.length() + body.length;
                  edited.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
                  edited.writeBytes(body);
                }))) {
      remote.fetch(proxy.location(), ID, partitions(partition), statistics).close();
    }
    return length[0];
  }

  @Test
  void aNodeThatRefusesHasAnswered() throws IOException {
    TestProxy proxy = node.proxy(TestProxy.Meddling.none());
    proxy.close();
    assertThatThrownBy(() -> assertAllFetched(proxy))
        .isInstanceOf(HostFailureException.class)
        .hasMessage(
            "partition 0 of block "
                + ID
                + " cannot be fetched from "
                + proxy.location()
                + ": it cannot be reached: Connection refused")
        .matches(failure -> ((HostFailureException) failure).answered());
    assertThat(remote.reaches(proxy.location())).isTrue();
  }

  @Test
  void aNodeThatDropsPacketsHasNotAnswered() throws IOException {
    FetchSettings impatient =
        new FetchSettings(
            Duration.ofMillis(200),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30));
    try (SilentServer silent = new SilentServer(InetAddress.getLoopbackAddress(), 0);
        ShuffleHandlerBlocks blocks = node.seenFromAfar(scratch, impatient)) {
      assertThatThrownBy(() -> blocks.fetch(location(silent), ID, partitions(0), statistics))
          .isInstanceOf(HostFailureException.class)
          .hasMessageContaining("it cannot be reached")
          .matches(failure -> !((HostFailureException) failure).answered());
      assertThat(blocks.reaches(location(silent))).isFalse();
      assertThat(blocks.reaches(node.location())).isTrue();
    }
  }

  @Test
  void aNameWithoutAnAddressIsNoAnswer() {
    BlockLocation nowhere = new BlockLocation("no-such-host.invalid", 1);
    assertThatThrownBy(() -> remote.fetch(nowhere, ID, partitions(0), statistics))
        .isInstanceOf(HostFailureException.class)
        .hasMessageContaining("there is no address for the name no-such-host.invalid")
        .matches(failure -> !((HostFailureException) failure).answered());
  }

  @Test
  void aNodeThatHangsIsNotAskedAgain() throws IOException {
    FetchSettings settings = settings(Duration.ofMillis(300));
    for (int sent : new int[] {0, 60, 200_000}) {
      try (TestProxy proxy = node.proxy(TestProxy.Meddling.hangAfter(sent));
          ShuffleHandlerBlocks impatient = node.seenFromAfar(scratch, settings)) {
        assertThatThrownBy(() -> impatient.fetch(proxy.location(), ID, partitions(1), statistics))
            .as("a timeout is no interruption")
            .isInstanceOf(HostFailureException.class)
            .hasMessageContaining(proxy.location().toString())
            .hasMessageContaining("it has sent nothing for 300 ms");
        assertThat(proxy.connections()).isEqualTo(1);
      }
    }
  }

  @Test
  void aThreadThatIsInterruptedDoesNotWaitForANode() throws Exception {
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.hangAfter(200_000))) {
      FutureTask<Boolean> fetch = new FutureTask<>(() -> isInterrupted(proxy));
      Thread thread = new Thread(fetch);
      thread.start();
      proxy.awaitHanging();
      thread.interrupt();
      assertThat(fetch.get(20, TimeUnit.SECONDS)).isTrue();
      assertThat(proxy.connections()).isEqualTo(1);
    }
  }

  private boolean isInterrupted(TestProxy proxy) {
    assertThatThrownBy(() -> assertAllFetched(proxy))
        .isExactlyInstanceOf(InterruptedIOException.class);
    return Thread.currentThread().isInterrupted();
  }

  @Test
  void aNodeWithTooManyConnectionsHasAnswered(@TempDir Path otherDisks) throws Exception {
    Map<String, String> oneConnection =
        Map.of(
            ShuffleHandler.MAX_SHUFFLE_CONNECTIONS,
            "1",
            ShuffleHandler.SHUFFLE_CONNECTION_KEEP_ALIVE_TIME_OUT,
            "600");
    try (TestNode busy = TestNode.start(otherDisks, oneConnection);
        TestProxy proxy = busy.proxy(TestProxy.Meddling.none());
        ShuffleHandlerBlocks first = busy.seenFromAfar(scratch, SETTINGS);
        ShuffleHandlerBlocks second = busy.seenFromAfar(scratch, SETTINGS)) {
      write(busy.blocks(), ID, WriteOrder.ANY, PARTITIONS);
      first.fetch(proxy.location(), ID, partitions(1), statistics).close();
      assertThatThrownBy(() -> second.fetch(proxy.location(), ID, partitions(1), statistics))
          .isInstanceOf(HostFailureException.class)
          .hasMessageContaining("it answers 429")
          .matches(failure -> ((HostFailureException) failure).answered());
      first.close();
      await(() -> isFetched(second, proxy.location()), "the connection to be free");
    }
  }

  private boolean isFetched(ShuffleHandlerBlocks from, BlockLocation location) {
    try {
      from.fetch(location, ID, partitions(1), statistics).close();
      return true;
    } catch (HostFailureException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(BooleanSupplier condition, String what) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited 20 s for " + what).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Test
  void whatTheNodeSaysOfItselfIsInTheMessage() throws IOException {
    assertWrong(
        head -> head.replace("200 OK", "503 Service Unavailable"), "it answers 503 Service");
    assertWrong(head -> head.replace("HTTP/1.1", "SSH-2.0"), "it does not speak HTTP/1.1");
    assertWrong(
        head -> head.replace("version: 1.0.0", "version: 2.0.0"), "mapreduce of version 2.0.0");
    assertWrong(head -> head.replace("name: mapreduce", "name: tez"), "it calls itself tez");
    assertWrong(head -> head.replace("name: mapreduce", "novel: x"), "it calls itself nothing");
  }

  @Test
  void anAnswerThatIsNotSignedIsRefused() throws IOException {
    assertWrong(head -> head.replace("ReplyHash: ", "ReplyHush: "), "its answer is not signed");
    assertWrong(
        head -> head.replaceAll("ReplyHash: ....", "ReplyHash: AAAA"),
        "its answer is not signed with the token of this application");
  }

  @Test
  void anAnswerOfAnotherLengthIsRefused() throws IOException {
    assertWrong(head -> head.replace("content-length", "length"), "does not tell its length");
    assertWrong(
        head -> head.replaceAll("content-length: \\d+", "content-length: 20"), "shorter than");
    assertWrong(
        head -> head.replaceAll("content-length: \\d+", "content-length: 200"),
        "says that the partition has 10000 stored and 30000 raw bytes");
    assertWrong(
        head -> head.replaceAll("content-length: (\\d+)", "content-length: 1$1"),
        "says that the partition has 10000 stored and 30000 raw bytes");
    assertWrong(
        head -> head.replaceAll("content-length: (\\d+)", "content-length: -1"),
        "does not tell its length");
  }

  private void assertWrong(UnaryOperator<String> head, String message) throws IOException {
    assertRefused(
        (original, body, edited) -> {
          edited.writeBytes(head.apply(original).getBytes(StandardCharsets.ISO_8859_1));
          edited.writeBytes(body);
        },
        message);
  }

  @Test
  void anAnswerThatIsFollowedByMoreIsRefused() throws IOException {
    try (TestProxy proxy =
        node.proxy(
            TestProxy.Meddling.edit(
                (head, body, edited) -> {
                  edited.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
                  edited.writeBytes(body);
                  edited.write('x');
                }))) {
      assertThatThrownBy(() -> assertAllFetched(proxy))
          .isExactlyInstanceOf(IOException.class)
          .as("the letter is found behind this answer, or before the next one")
          .hasMessageMatching(
              ".*its answer is longer than it says|.*its answer begins with .xHTTP.*");
    }
  }

  @Test
  void anAnswerWithAnotherPartitionIsRefused() throws IOException {
    int partitionAt = 1 + ID.path().length() + 3 + 3;
    assertWrongBody(partitionAt, 2, "it answers with partition 2 of " + ID);
    assertWrongBody(5, 'x', "it answers with partition 0 of attexpt");
    assertWrongBody(0, 0x87, "its answer has no shuffle header");
  }

  private void assertWrongBody(int position, int value, String message) throws IOException {
    assertRefused(
        (head, body, edited) -> {
          byte[] changed = Arrays.copyOf(body, body.length);
          changed[position] = (byte) value;
          edited.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
          edited.writeBytes(changed);
        },
        message);
  }

  private void assertRefused(TestProxy.Edit edit, String message) throws IOException {
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.edit(edit))) {
      assertThatThrownBy(() -> remote.fetch(proxy.location(), ID, partitions(0), statistics))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("partition 0 of block " + ID)
          .hasMessageContaining(message);
    }
  }

  @Test
  void aServerOfSomethingElseIsTold() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      FutureTask<Void> greeting =
          new FutureTask<>(
              () -> {
                try (Socket socket = server.accept()) {
                  socket
                      .getOutputStream()
                      .write("220 mail ready\r\n".getBytes(StandardCharsets.US_ASCII));
                  socket.getInputStream().readNBytes(300);
                }
                return null;
              });
      new Thread(greeting).start();
      assertThatThrownBy(
              () ->
                  remote.fetch(
                      new BlockLocation("127.0.0.1", server.getLocalPort()),
                      ID,
                      partitions(0),
                      statistics))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining(
              "it does not speak HTTP/1.1: its answer begins with \"220 mail ready\"");
      try {
        greeting.get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(IOException.class);
      }
    }
  }

  private static BlockLocation location(SilentServer silent) {
    return new BlockLocation(silent.address().getHostString(), silent.address().getPort());
  }
}
