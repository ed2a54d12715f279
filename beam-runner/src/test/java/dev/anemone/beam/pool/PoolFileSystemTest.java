// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.rdma.pool.PoolFullException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.CreateOptions;
import org.apache.beam.sdk.io.fs.CreateOptions.StandardCreateOptions;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MatchResult.Status;
import org.apache.beam.sdk.io.fs.ResourceIdTester;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Beam expects of a file system, of files in a real pool. */
class PoolFileSystemTest {

  private static final CreateOptions CREATE =
      StandardCreateOptions.builder().setMimeType("application/octet-stream").build();

  @TempDir Path directory;

  private ServerOfAPool pool;
  private OpenPools connections;
  private PoolFileSystem files;

  @BeforeEach
  void start() throws IOException {
    pool = ServerOfAPool.start(directory);
    connections = new OpenPools(Duration.ofMillis(20));
    files = files();
  }

  @AfterEach
  void stop() throws IOException {
    await("connections that nobody uses end", () -> pool.server().status().clients() == 0);
    pool.close();
  }

  private PoolFileSystem files(String... more) {
    return new PoolFileSystem(
        PoolSettings.of(pool.options(more).as(NemoPipelineOptions.class)), connections);
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as(what).isNegative();
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  private PoolResourceId file(String path) {
    return files.matchNewResource("pool://" + pool.address() + path, false);
  }

  private PoolResourceId folder(String path) {
    return files.matchNewResource("pool://" + pool.address() + path, true);
  }

  private void write(String path, byte[] bytes) throws IOException {
    try (WritableByteChannel out = files.create(file(path), CREATE)) {
      out.write(ByteBuffer.wrap(bytes));
    }
  }

  private void write(String path, String text) throws IOException {
    write(path, text.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] read(String path) throws IOException {
    try (var in = Channels.newInputStream(files.open(file(path)))) {
      return in.readAllBytes();
    }
  }

  private String text(String path) throws IOException {
    return new String(read(path), StandardCharsets.UTF_8);
  }

  private List<String> match(String pattern) throws IOException {
    MatchResult result = files.match(List.of("pool://" + pool.address() + pattern)).get(0);
    assertThat(result.status()).isEqualTo(Status.OK);
    String prefix = "pool://" + pool.address();
    return result.metadata().stream()
        .map(found -> found.resourceId().toString())
        .peek(id -> assertThat(id).startsWith(prefix))
        .map(id -> id.substring(prefix.length()))
        .sorted()
        .toList();
  }

  @Test
  void namesAreAsBeamWantsThem() {
    FileSystems.setDefaultPipelineOptions(pool.options());
    ResourceIdTester.runResourceIdBattery(
        FileSystems.matchNewResource("pool://" + pool.address() + "/a/b/", true));
    ResourceIdTester.runResourceIdBattery(FileSystems.matchNewResource("pool:///a/", true));
    assertThatThrownBy(() -> files.matchNewResource("pool://h:1/a/", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("directory");
    assertThat(folder("/a").toString()).endsWith("/a/");
    assertThat(folder("/").getFilename()).isNull();
  }

  @Test
  void whatIsWrittenIsReadAtAnyPosition() throws IOException {
    Random random = new Random(1);
    byte[] bytes = new byte[20 * ServerOfAPool.PAGE_BYTES + 77];
    random.nextBytes(bytes);
    try (WritableByteChannel out = files.create(file("/new/folder/large"), CREATE)) {
      ByteBuffer all = ByteBuffer.wrap(bytes);
      while (all.hasRemaining()) {
        int count = Math.min(all.remaining(), 1 + random.nextInt(2 * ServerOfAPool.PAGE_BYTES));
        assertThat(out.write(all.slice(all.position(), count))).isEqualTo(count);
        all.position(all.position() + count);
      }
      assertThat(match("/new/folder/*")).as("it is not whole yet").isEmpty();
    }
    assertThat(read("/new/folder/large")).isEqualTo(bytes);

    try (SeekableByteChannel in = (SeekableByteChannel) files.open(file("/new/folder/large"))) {
      assertThat(in.size()).isEqualTo(bytes.length);
      for (int i = 0; i < 50; i++) {
        int from = random.nextInt(bytes.length);
        ByteBuffer part = ByteBuffer.allocate(1 + random.nextInt(300_000));
        in.position(from);
        int got = in.read(part);
        assertThat(got).isPositive();
        assertThat(Arrays.copyOf(part.array(), got))
            .isEqualTo(Arrays.copyOfRange(bytes, from, from + got));
        assertThat(in.position()).isEqualTo(from + got);
      }
      in.position(bytes.length);
      assertThat(in.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
    write("/empty", "");
    assertThat(read("/empty")).isEmpty();
  }

  @Test
  void aNewFileTakesThePlaceOfTheFormerWhenItIsWhole() throws IOException {
    write("/a", "first");
    try (WritableByteChannel out = files.create(file("/a"), CREATE)) {
      out.write(ByteBuffer.wrap("second".getBytes(StandardCharsets.UTF_8)));
      assertThat(text("/a")).isEqualTo("first");
    }
    assertThat(text("/a")).isEqualTo("second");
  }

  @Test
  void patternsFindFiles() throws IOException {
    for (String path : List.of("/x/a1.txt", "/x/a2.txt", "/x/b1.csv", "/x/y/a3.txt", "/z/a4.txt")) {
      write(path, path);
    }
    assertThat(match("/x/*")).containsExactly("/x/a1.txt", "/x/a2.txt", "/x/b1.csv");
    assertThat(match("/x/a?.txt")).containsExactly("/x/a1.txt", "/x/a2.txt");
    assertThat(match("/x/[ab]1.*")).containsExactly("/x/a1.txt", "/x/b1.csv");
    assertThat(match("/*/a*.txt")).containsExactly("/x/a1.txt", "/x/a2.txt", "/z/a4.txt");
    assertThat(match("/x/**.txt")).containsExactly("/x/a1.txt", "/x/a2.txt", "/x/y/a3.txt");
    assertThat(match("/x/y/a3.txt")).containsExactly("/x/y/a3.txt");
    assertThat(match("/x/y/")).containsExactly("/x/y/");
    assertThat(match("/no/such/*")).isEmpty();

    MatchResult missing = files.match(List.of("pool://" + pool.address() + "/x/none")).get(0);
    assertThat(missing.status()).isEqualTo(Status.NOT_FOUND);
    assertThatThrownBy(missing::metadata).isInstanceOf(FileNotFoundException.class);
    MatchResult.Metadata found = files.match(List.of("pool:///x/b1.csv")).get(0).metadata().get(0);
    assertThat(found.sizeBytes()).isEqualTo("/x/b1.csv".length());
    assertThat(found.isReadSeekEfficient()).isTrue();
    assertThat(found.lastModifiedMillis()).isPositive();
  }

  @Test
  void filesAreCopiedRenamedAndDeleted() throws IOException {
    write("/from/a", "of a");
    write("/from/b", "of b");
    write("/to/b", "former");
    files.copy(List.of(file("/from/a")), List.of(file("/elsewhere/a")));
    files.rename(List.of(file("/from/a"), file("/from/b")), List.of(file("/to/a"), file("/to/b")));

    assertThat(match("/**")).containsExactly("/elsewhere/a", "/to/a", "/to/b");
    assertThat(text("/elsewhere/a") + text("/to/a") + text("/to/b")).isEqualTo("of aof aof b");
    assertThatThrownBy(() -> files.copy(List.of(file("/from/a")), List.of(file("/c"))))
        .hasMessageContaining("/from/a");
    assertThatThrownBy(() -> files.open(file("/from/a")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("/from/a");

    assertThatThrownBy(() -> files.delete(List.of(folder("/to"))))
        .isInstanceOf(DirectoryNotEmptyException.class);
    files.delete(List.of(file("/to/a"), file("/to/b"), file("/to/none")));
    files.delete(List.of(folder("/to"), folder("/from")));
    files.delete(List.of(file("/elsewhere/a")));
    assertThat(match("/**")).isEmpty();
    assertThat(pool.server().status().usedBytes()).isZero();
  }

  @Test
  void filesOutliveTheirWriterAndGoWhenTheirTimeIsOver() throws IOException {
    write("/stays", "stays");
    files = files("--memoryPoolFileSeconds=1");
    write("/goes", "goes");
    await("no connection is left", () -> pool.server().status().clients() == 0);

    assertThat(text("/stays")).isEqualTo("stays");
    await("its time is over", () -> pool.server().status().usedBytes() == ServerOfAPool.PAGE_BYTES);
    assertThat(match("/*")).containsExactly("/stays");
  }

  @Test
  void aFullPoolSaysSoAndNothingIsLeft() throws IOException {
    WritableByteChannel out = files.create(file("/too/large"), CREATE);
    assertThatThrownBy(
            () -> {
              ByteBuffer bytes = ByteBuffer.allocate(ServerOfAPool.PAGE_BYTES);
              for (int i = 0; i < 1_000; i++) {
                out.write(bytes.clear());
              }
            })
        .isInstanceOf(PoolFullException.class)
        .hasMessageContaining(pool.address().toString());
    out.close();
    assertThatThrownBy(() -> out.write(ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
    assertThat(match("/**")).isEmpty();
    assertThat(pool.server().status().usedBytes()).isZero();
  }

  @Test
  void aPoolThatCannotBeUsedIsNamed() {
    PoolFileSystem none =
        new PoolFileSystem(
            PoolSettings.of(PipelineOptionsFactory.create().as(NemoPipelineOptions.class)),
            connections);
    assertThatThrownBy(() -> none.match(List.of("pool:///a")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--memoryPool=host:7070");
    assertThatThrownBy(() -> none.match(List.of("pool://nowhere/a")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("pool://nowhere/a");
    assertThatThrownBy(() -> none.match(List.of("pool://" + pool.address() + "/a")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory pool " + pool.address() + " cannot be used")
        .hasMessageContaining("token");
    assertThatThrownBy(() -> none.match(List.of("pool://127.0.0.1:1/a")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:1");
    PoolSettings wrong =
        new PoolSettings(
            Optional.of(pool.address().toString()), Optional.of("/no/such"), Optional.of("tcp"), 0);
    assertThatThrownBy(() -> new PoolFileSystem(wrong, connections).match(List.of("pool:///a")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--memoryPoolTokenFile=/no/such");
    assertThatThrownBy(() -> files("--memoryPoolFileSeconds=-1").create(file("/a"), CREATE))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("--memoryPoolFileSeconds=-1");
  }
}
