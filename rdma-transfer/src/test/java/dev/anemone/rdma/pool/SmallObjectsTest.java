// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.ReadObserver;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that come and go with their names. */
class SmallObjectsTest {

  private static final PoolPath PATH = PoolPath.of("/small");
  private static final ObjectSettings LEASED = ObjectSettings.of(Lifetime.LEASE);
  private static final int ROUNDS = 1_000;
  private static final int LEAST_READ = 50;

  /** What it takes over the network to write an object and to read it. */
  private record RoundTrips(int put, int get, int write, int range) {}

  private static RoundTrips roundTrips(int smallBytes) throws IOException {
    byte[] bytes = randomBytes(1, 1_000);
    try (TestPool pool = TestPool.ofServers(3, 20);
        CountingTransport transport = CountingTransport.open();
        PoolClient client =
            PoolClient.connect(transport, pool.options().withSmallBytes(smallBytes))) {
      transport.roundTrips();
      client.put(PATH, ByteBuffer.wrap(bytes), LEASED);
      int put = transport.roundTrips();
      assertThat(client.get(PATH)).isEqualTo(ByteBuffer.wrap(bytes));
      int get = transport.roundTrips();
      try (ObjectWriter writer = client.create(PoolPath.of("/written"), LEASED)) {
        writer.write(ByteBuffer.wrap(bytes));
        writer.commit();
      }
      int write = transport.roundTrips();
      ByteBuffer range = ByteBuffer.allocate(100);
      client.open(PoolPath.of("/written"), ReadObserver.UNCOUNTED, smallBytes).read(900, range);
      assertThat(range.array()).isEqualTo(Arrays.copyOfRange(bytes, 900, 1_000));
      return new RoundTrips(put, get, write, transport.roundTrips());
    }
  }

  @Test
  void aQuestionWritesAnObjectAndAnotherReadsIt() throws IOException {
    assertThat(roundTrips(2_000)).isEqualTo(new RoundTrips(1, 1, 2, 1));
    assertThat(roundTrips(0))
        .as("page, bytes, flush, name; its name before them; name, bytes; and their generation")
        .isEqualTo(new RoundTrips(4, 2, 5, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE})
  void whatIsPutIsGot(int length) throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 20)) {
      PoolClient client = pool.client();
      byte[] bytes = randomBytes(length, length);
      ObjectAttributes attributes = client.put(PATH, ByteBuffer.wrap(bytes), LEASED);

      assertThat(pool.client().get(PATH)).isEqualTo(ByteBuffer.wrap(bytes));
      assertThat(read(client, PATH.value())).isEqualTo(bytes);
      assertThat(client.getAttributes(PATH).servers()).isEqualTo(attributes.servers());
      assertThat(attributes.length()).isEqualTo(length);
      assertThat(pool.usedBytes()).isEqualTo((long) (length + PAGE - 1) / PAGE * PAGE);
      assertThatThrownBy(() -> client.put(PATH, ByteBuffer.allocate(1), LEASED))
          .isInstanceOf(FileAlreadyExistsException.class);
      client.put(PATH, ByteBuffer.wrap(new byte[] {7}), LEASED.replacing());
      assertThat(client.get(PATH)).isEqualTo(ByteBuffer.wrap(new byte[] {7}));
      assertThat(pool.usedBytes()).isEqualTo(PAGE);
      client.delete(PATH);
      assertThatThrownBy(() -> client.get(PATH)).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> client.put(PATH.child("none"), ByteBuffer.allocate(1), LEASED))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> client.put(PoolPath.ROOT, ByteBuffer.allocate(1), LEASED))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(pool.usedBytes()).isZero();
    }
  }

  @Test
  void registeredMemoryIsASourceAndATargetToo() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4)) {
      PoolClient client = pool.client();
      MemoryRegion memory = pool.region(500);
      memory.memory().put(randomBytes(1, 500));
      try (ObjectWriter writer = client.create(PATH, LEASED)) {
        writer.write(memory, 100, 300);
        writer.write(memory, 0, 50);
        writer.commit();
      }
      ObjectReader reader = client.open(PATH, ReadObserver.UNCOUNTED, 320);

      reader.read(250, memory, 400, 100);
      reader.read(0, memory, 0, 100);

      byte[] written = new byte[350];
      System.arraycopy(randomBytes(1, 500), 100, written, 0, 300);
      System.arraycopy(randomBytes(1, 500), 0, written, 300, 50);
      byte[] got = new byte[500];
      memory.memory().get(0, got);
      assertThat(Arrays.copyOfRange(got, 400, 500))
          .isEqualTo(Arrays.copyOfRange(written, 250, 350));
      assertThat(Arrays.copyOfRange(got, 0, 100)).isEqualTo(Arrays.copyOfRange(written, 0, 100));
    }
  }

  @Test
  void whereTheServerOfTheNameIsFullAnotherOneHoldsIt() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 4)) {
      PoolClient client = pool.client();
      for (int i = 0; i < 8; i++) {
        client.put(PoolPath.of("/o" + i), ByteBuffer.wrap(randomBytes(i, 100)), LEASED);
      }

      assertThat(pool.usedBytes()).isEqualTo(8 * PAGE);
      assertThatThrownBy(() -> client.put(PATH, ByteBuffer.allocate(1), LEASED))
          .isInstanceOf(PoolFullException.class);
      for (int i = 0; i < 8; i++) {
        assertThat(client.get(PoolPath.of("/o" + i)))
            .isEqualTo(ByteBuffer.wrap(randomBytes(i, 100)));
      }
    }
  }

  @Test
  void filesAreWrittenAndReadAsOtherwise(@TempDir Path directory) throws IOException {
    try (TestPool pool = TestPool.ofServers(1, TierOptions.file(directory, 4L * PAGE))) {
      PoolClient client = pool.client();
      client.put(PATH, ByteBuffer.wrap(randomBytes(1, 100)), LEASED);

      assertThat(client.get(PATH)).isEqualTo(ByteBuffer.wrap(randomBytes(1, 100)));
    }
  }

  @Test
  void aDamagedPageIsNotGivenWithItsName() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4);
        RawClient raw = new RawClient(pool, 0)) {
      PoolClient client = pool.client();
      client.put(PATH, ByteBuffer.wrap(new byte[100]), LEASED);
      raw.overwrite(0, 99, (byte) 1);

      assertThatThrownBy(() -> client.get(PATH)).isInstanceOf(DamagedPageException.class);
    }
  }

  /** A client asks again when it has not heard an answer. */
  @Test
  void anObjectThatIsStoredTwiceIsThereOnce() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4);
        RawClient raw = new RawClient(pool, 0)) {
      Request.Store store = store(raw, 100, ByteBuffer.wrap(randomBytes(1, 100)), TierKind.DRAM);
      StoredObject first = raw.caller().call(store, Reply.Stored.class).object();

      assertThat(raw.caller().call(store, Reply.Stored.class).object()).isEqualTo(first);

      assertThat(pool.usedBytes()).isEqualTo(PAGE);
      assertThat(pool.client().get(PATH)).isEqualTo(ByteBuffer.wrap(randomBytes(1, 100)));
      for (Request.Store wrong :
          List.of(
              store(raw, 99, ByteBuffer.allocate(100), TierKind.DRAM),
              store(raw, PAGE + 1, ByteBuffer.allocate(PAGE + 1), TierKind.DRAM),
              store(raw, 0, ByteBuffer.allocate(0), TierKind.DRAM),
              store(raw, 100, ByteBuffer.allocate(100), TierKind.FILE))) {
        assertThatThrownBy(() -> raw.caller().call(wrong, Reply.Stored.class))
            .isInstanceOf(RefusedException.class);
      }
      assertThat(pool.usedBytes()).isEqualTo(PAGE);
    }
  }

  private static Request.Store store(RawClient raw, int length, ByteBuffer bytes, TierKind last) {
    ObjectId id = new ObjectId(raw.id(), length);
    String path = length == 100 && last == TierKind.DRAM ? PATH.value() : "/wrong";
    StoredObject object = new StoredObject(id, path, length, 0, 0, Lifetime.LEASE, List.of());
    return new Request.Store(object, 0, TierKind.DRAM, last, bytes);
  }

  /** The index at an object's end comes with its name, if its last page is where that is. */
  @Test
  void theTailOfALargeObjectComesWithItsName() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 20);
        CountingTransport transport = CountingTransport.open();
        PoolClient client = PoolClient.connect(transport, pool.options())) {
      byte[] bytes = randomBytes(1, 3 * PAGE + 500);
      write(client, "/large", Lifetime.LEASE, bytes);
      transport.roundTrips();
      ByteBuffer end = ByteBuffer.allocate(400);

      ObjectReader reader = client.open(PoolPath.of("/large"), ReadObserver.UNCOUNTED, 450);
      reader.read(bytes.length - 400, end);

      assertThat(transport.roundTrips()).isEqualTo(1);
      assertThat(end.array())
          .isEqualTo(Arrays.copyOfRange(bytes, bytes.length - 400, bytes.length));
      ByteBuffer all = ByteBuffer.allocate(bytes.length);
      reader.read(0, all);
      assertThat(all.array()).isEqualTo(bytes);
    }
  }

  /** Pages are used again at once while others ask for what was in them. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void nobodyGetsBytesOfAnotherObject() throws Exception {
    try (TestPool pool = TestPool.ofServers(1, 3)) {
      PoolClient writer = pool.client();
      AtomicBoolean ended = new AtomicBoolean();
      ExecutorService readers = Executors.newFixedThreadPool(2);
      try {
        AtomicInteger read = new AtomicInteger();
        List<Future<?>> reads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          PoolClient client =
              pool.client(pool.options().withCaches(new CacheOptions(0, 0, Duration.ZERO)));
          reads.add(
              readers.submit(
                  () -> {
                    readUntil(client, ended, read);
                    return null;
                  }));
        }
        for (int round = 0; round < ROUNDS || read.get() < LEAST_READ; round++) {
          byte[] bytes = new byte[1_000];
          Arrays.fill(bytes, (byte) (round % 2));
          PoolPath path = PoolPath.of("/o" + round % 2);
          writer.put(path, ByteBuffer.wrap(bytes), LEASED);
          writer.delete(path);
        }
        ended.set(true);
        for (Future<?> reader : reads) {
          reader.get(1, TimeUnit.MINUTES);
        }
      } finally {
        ended.set(true);
        readers.shutdownNow();
      }
    }
  }

  private static void readUntil(PoolClient client, AtomicBoolean ended, AtomicInteger read)
      throws IOException {
    while (!ended.get()) {
      for (byte kind = 0; kind < 2; kind++) {
        try {
          // Less than all of it, which a checksum would tell.
          ByteBuffer bytes = ByteBuffer.allocate(500);
          client.open(PoolPath.of("/o" + kind), ReadObserver.UNCOUNTED, 500).read(500, bytes);
          for (byte value : bytes.array()) {
            assertThat(value).isEqualTo(kind);
          }
          read.incrementAndGet();
        } catch (NoSuchFileException | ObjectDeletedException e) {
          // It was deleted in between.
          assertThat(e).hasMessageContaining("/o" + kind);
        }
      }
    }
  }
}
