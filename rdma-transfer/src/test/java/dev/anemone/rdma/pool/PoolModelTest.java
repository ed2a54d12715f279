// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.ReadObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pool against a map, and the pool under many threads. */
class PoolModelTest {

  private static final int STEPS = 400;
  private static final byte[] DIRECTORY = new byte[0];

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void thePoolIsAMapOfPaths(long seed) throws IOException {
    Random random = new Random(seed);
    Map<String, byte[]> model = new TreeMap<>();
    try (TestPool pool = TestPool.ofServers(1 + random.nextInt(4), 200)) {
      PoolClient[] clients = {
        pool.client(pool.options().withCaches(new CacheOptions(0, 0, Duration.ZERO))),
        pool.client(pool.options().withCaches(new CacheOptions(0, 5 * PAGE, Duration.ZERO))),
        pool.client(pool.options().withCaches(new CacheOptions(0, 0, Duration.ZERO)).withBuffers(1))
      };
      for (int i = 0; i < STEPS; i++) {
        PoolClient client = clients[random.nextInt(clients.length)];
        String path = path(random);
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> write(client, model, path, random);
          case 3 -> delete(client, model, path);
          case 4 -> createDirectory(client, model, path);
          case 5 -> removeDirectory(client, model, path, random.nextBoolean());
          case 6 -> list(client, model, path);
          default -> read(client, model, path, random);
        }
        long pages =
            model.values().stream().mapToLong(bytes -> (bytes.length + PAGE - 1) / PAGE).sum();
        assertThat(pool.usedBytes()).as("step %s", i).isEqualTo(pages * PAGE);
      }
      for (PoolEntry entry : clients[0].list(PoolPath.ROOT)) {
        if (entry.directory()) {
          clients[0].removeDirectory(entry.path(), true);
        } else {
          clients[0].delete(entry.path());
        }
      }
    }
  }

  @Test
  void manyThreadsWriteReadAndDelete() throws Exception {
    try (TestPool pool = TestPool.ofServers(3, 300)) {
      PoolClient[] clients = {
        pool.client(),
        pool.client(pool.options().withCaches(new CacheOptions(1 << 20, 6 * PAGE, Duration.ZERO)))
      };
      clients[0].createDirectory(PoolPath.of("/shared"));
      ExecutorService threads = Executors.newFixedThreadPool(8);
      List<Future<Integer>> results = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int number = i;
        Callable<Integer> work = () -> work(clients[number % 2], number);
        results.add(threads.submit(work));
      }
      int reads = 0;
      for (Future<Integer> result : results) {
        reads += result.get(60, TimeUnit.SECONDS);
      }
      threads.shutdown();
      assertThat(reads).isPositive();
      clients[0].removeDirectory(PoolPath.of("/shared"), true);
      assertThat(pool.usedBytes()).isZero();
    }
  }

  /** Objects of the same names by all threads; every path has its own bytes. */
  private static int work(PoolClient client, int seed) throws IOException {
    Random random = new Random(seed);
    int reads = 0;
    for (int i = 0; i < 250; i++) {
      int name = random.nextInt(20);
      PoolPath path = PoolPath.of("/shared/" + name);
      byte[] bytes = randomBytes(name, 1 + name * PAGE / 4);
      try {
        switch (random.nextInt(4)) {
          case 0 -> write(client, path.value(), bytes, false);
          case 1 -> write(client, path.value(), bytes, true);
          case 2 -> client.delete(path);
          default -> {
            int from = random.nextInt(bytes.length);
            ByteBuffer got = ByteBuffer.allocate(bytes.length - from);
            client.open(path, ReadObserver.UNCOUNTED, random.nextInt(PAGE)).read(from, got);
            assertThat(got.array()).isEqualTo(Arrays.copyOfRange(bytes, from, bytes.length));
            reads++;
          }
        }
      } catch (NoSuchFileException | FileAlreadyExistsException | ObjectDeletedException e) {
        // Another thread was faster.
      }
    }
    return reads;
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder();
    int depth = 1 + random.nextInt(3);
    for (int i = 0; i < depth; i++) {
      path.append('/').append((char) ('a' + random.nextInt(3)));
    }
    return path.toString();
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private static boolean isDirectory(Map<String, byte[]> model, String path) {
    return path.equals("/") || model.get(path) == DIRECTORY;
  }

  private static boolean isObject(Map<String, byte[]> model, String path) {
    return model.containsKey(path) && model.get(path) != DIRECTORY;
  }

  private static void write(
      PoolClient client, Map<String, byte[]> model, String path, Random random) throws IOException {
    byte[] bytes = randomBytes(random.nextLong(), 1 + random.nextInt(4 * PAGE));
    if (!isDirectory(model, parent(path))) {
      assertThatThrownBy(() -> write(client, path, bytes, random.nextBoolean()))
          .isInstanceOf(NoSuchFileException.class);
    } else if (model.containsKey(path)) {
      assertThatThrownBy(() -> write(client, path, bytes, random.nextBoolean()))
          .isInstanceOf(FileAlreadyExistsException.class);
    } else {
      write(client, path, bytes, random.nextBoolean());
      model.put(path, bytes);
    }
  }

  private static void write(PoolClient client, String path, byte[] bytes, boolean atOnce)
      throws IOException {
    if (atOnce) {
      client.put(PoolPath.of(path), ByteBuffer.wrap(bytes), ObjectSettings.of(Lifetime.POOL));
    } else {
      TestPool.write(client, path, Lifetime.POOL, bytes);
    }
  }

  private static void delete(PoolClient client, Map<String, byte[]> model, String path)
      throws IOException {
    if (isObject(model, path)) {
      client.delete(PoolPath.of(path));
      model.remove(path);
    } else {
      assertThatThrownBy(() -> client.delete(PoolPath.of(path))).isInstanceOf(IOException.class);
    }
  }

  private static void createDirectory(PoolClient client, Map<String, byte[]> model, String path)
      throws IOException {
    List<String> all = new ArrayList<>();
    for (String up = path; !up.equals("/"); up = parent(up)) {
      all.add(0, up);
    }
    if (all.stream().anyMatch(up -> isObject(model, up))) {
      assertThatThrownBy(() -> client.createDirectory(PoolPath.of(path)))
          .isInstanceOf(FileAlreadyExistsException.class);
      for (String up : all) {
        if (isObject(model, up)) {
          return;
        }
        model.put(up, DIRECTORY);
      }
      fail("unreachable");
    }
    client.createDirectory(PoolPath.of(path));
    all.forEach(up -> model.put(up, DIRECTORY));
  }

  private static void removeDirectory(
      PoolClient client, Map<String, byte[]> model, String path, boolean recursive)
      throws IOException {
    boolean empty = model.keySet().stream().noneMatch(other -> other.startsWith(path + "/"));
    if (!isDirectory(model, path)) {
      assertThatThrownBy(() -> client.removeDirectory(PoolPath.of(path), recursive))
          .isInstanceOf(IOException.class);
    } else if (empty || recursive) {
      client.removeDirectory(PoolPath.of(path), recursive);
      model.keySet().removeIf(other -> other.equals(path) || other.startsWith(path + "/"));
    } else {
      assertThatThrownBy(() -> client.removeDirectory(PoolPath.of(path), false))
          .isInstanceOf(DirectoryNotEmptyException.class);
    }
  }

  private static void list(PoolClient client, Map<String, byte[]> model, String path)
      throws IOException {
    if (!isDirectory(model, path)) {
      assertThatThrownBy(() -> client.list(PoolPath.of(path)))
          .isInstanceOf(NoSuchFileException.class);
      return;
    }
    List<PoolEntry> expected =
        model.entrySet().stream()
            .filter(entry -> parent(entry.getKey()).equals(path))
            .map(
                entry ->
                    new PoolEntry(
                        PoolPath.of(entry.getKey()),
                        entry.getValue() == DIRECTORY,
                        entry.getValue().length,
                        Instant.EPOCH))
            .toList();
    List<PoolEntry> listed =
        client.list(PoolPath.of(path)).stream()
            .map(
                entry ->
                    new PoolEntry(entry.path(), entry.directory(), entry.length(), Instant.EPOCH))
            .toList();
    assertThat(listed).isEqualTo(expected);
  }

  private static void read(PoolClient client, Map<String, byte[]> model, String path, Random random)
      throws IOException {
    if (!isObject(model, path)) {
      assertThatThrownBy(() -> client.open(PoolPath.of(path)))
          .isInstanceOf(NoSuchFileException.class);
      return;
    }
    byte[] bytes = model.get(path);
    ObjectReader reader =
        client.open(PoolPath.of(path), ReadObserver.UNCOUNTED, random.nextInt(PAGE));
    int from = random.nextInt(bytes.length);
    int length = random.nextInt(bytes.length - from) + 1;
    ByteBuffer got = ByteBuffer.allocate(length);
    assertThat(reader.read(from, got)).isEqualTo(length);
    assertThat(got.array()).isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
    assertThat(reader.length()).isEqualTo(bytes.length);
    assertThat(reader.read(bytes.length, got.clear())).isEqualTo(-1);
  }
}
