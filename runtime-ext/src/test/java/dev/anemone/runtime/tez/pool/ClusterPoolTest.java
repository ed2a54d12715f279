// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.OverflowingStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.testing.TestMemoryPool;
import dev.anemone.runtime.tez.container.ContainerSizes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without a cluster: its containers are clients of this JVM. */
class ClusterPoolTest {

  private static final ContainerSizes EXECUTOR =
      ContainerSizes.of(640, 1, 0, Optional.of(64L << 20));
  private static final String JOB = "job-1";
  private static final PoolPath BLOCK = ClusterPool.directory(JOB).child("block");

  @TempDir private Path directory;

  private StoreOptions.RemoteMemory options(TestMemoryPool pool, String secret) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), secret);
    return new StoreOptions.RemoteMemory(
        pool.addresses(), Optional.of(token), Optional.of("tcp"), CacheOptions.NAMES);
  }

  /** What a container does, with the credentials that YARN hands to it. */
  private static void inContainer(
      StoreOptions.RemoteMemory options, PrivilegedExceptionAction<Void> action) throws Exception {
    UserGroupInformation container = UserGroupInformation.createRemoteUser("container");
    container.addCredentials(ClusterPool.credentials(options));
    container.doAs(action);
  }

  private static void write(BlockStore store, BlockId id) throws IOException {
    try (BlockWriter block = store.create(id, 1, WriteOrder.ANY)) {
      block.append(0, ByteBuffer.wrap(new byte[100]), 100);
      block.commit();
    }
  }

  /** It does not look for the pool all the time. */
  private static void awaitConnection(ContainerPool container) throws IOException {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (container.connection().isEmpty()) {
      assertThat(System.nanoTime() - end).as(container.failure()).isNegative();
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private static void write(Configuration application) throws IOException {
    try (PoolConnection container =
        ClusterPool.in(application).orElseThrow().connectAsContainer()) {
      container.client().createDirectory(ClusterPool.directory(JOB), Lifetime.LEASE);
      try (ObjectWriter object = container.client().create(BLOCK, Lifetime.LEASE)) {
        object.write(ByteBuffer.allocate(1));
        object.commit();
      }
    }
  }

  private static List<String> names(StoreOptions.RemoteMemory options, Configuration application)
      throws Exception {
    List<String> names = new ArrayList<>();
    inContainer(
        options,
        () -> {
          try (PoolConnection other =
              ClusterPool.in(application).orElseThrow().connectAsContainer()) {
            other.client().list(BLOCK.parent().parent()).forEach(e -> names.add(e.path().name()));
          } catch (NoSuchFileException e) {
            // There has been none.
          }
          return null;
        });
    return names;
  }

  @Test
  void blocksOutliveTheirContainerAndGoWithTheMaster() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(2, 20)) {
      StoreOptions.RemoteMemory options = options(pool, TestMemoryPool.SECRET + "\n");
      Configuration application = new Configuration(false);
      ClusterPool.of(options, EXECUTOR).writeTo(application);
      inContainer(
          options,
          () -> {
            try (MasterLease first = MasterLease.take(application)) {
              write(application);
              assertThat(pool.usedBytes()).isPositive();
            }
            pool.awaitUsedBytes(0);
            // The next attempt of the master has the same lease.
            try (MasterLease second = MasterLease.take(application)) {
              write(application);
              assertThat(pool.usedBytes()).isPositive();
            }
            pool.awaitUsedBytes(0);
            return null;
          });
      assertThat(names(options, application)).isEmpty();
    }
  }

  @Test
  void containersKeepCopiesInMemoryThatTheirBuffersLeave() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 20)) {
      long bytes = 8L * TestMemoryPool.PAGE_BYTES;
      StoreOptions.RemoteMemory usual = options(pool, TestMemoryPool.SECRET);
      StoreOptions.RemoteMemory options =
          new StoreOptions.RemoteMemory(
              usual.servers(),
              usual.tokenFile(),
              usual.transport(),
              CacheOptions.NAMES.withPages(bytes, Duration.ofMillis(1500)));
      ClusterPool made = ClusterPool.of(options, EXECUTOR.withDirect(bytes, "copies"));
      Configuration application = new Configuration(false);
      made.writeTo(application);

      assertThat(ClusterPool.in(application)).contains(made);
      assertThat(made.caches()).isEqualTo(options.caches());
      assertThat(made.buffers()).isEqualTo(ClusterPool.of(usual, EXECUTOR).buffers());
      inContainer(
          options,
          () -> {
            try (PoolConnection container = made.connectAsContainer()) {
              assertThat(container.client().cachedBytes()).isEqualTo(bytes);
            }
            return null;
          });
    }
  }

  @Test
  void aMasterTakesTheLeaseOfAPoolThatComesBack() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 20)) {
      StoreOptions.RemoteMemory options = options(pool, TestMemoryPool.SECRET);
      Configuration application = new Configuration(false);
      ClusterPool.of(options, EXECUTOR).writeTo(application);
      pool.stop(0);
      inContainer(
          options,
          () -> {
            try (MasterLease lease = MasterLease.take(application)) {
              pool.start(0);
              writeWhenThereIsALease(application);
              assertThat(pool.usedBytes()).isPositive();
            }
            pool.awaitUsedBytes(0);
            return null;
          });
    }
  }

  private static void writeWhenThereIsALease(Configuration application) throws IOException {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    for (boolean written = false; !written; ) {
      try {
        write(application);
        written = true;
      } catch (RefusedException e) {
        assertThat(System.nanoTime() - end).as(e.getMessage()).isNegative();
      }
    }
  }

  /** A search that went on would take the lease only some time after the pool is back. */
  private static void awaitThatNobodySearches() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("pool-lease")) {
        thread.join(Duration.ofSeconds(20).toMillis());
        assertThat(thread.isAlive()).as("the search goes on").isFalse();
      }
    }
  }

  @Test
  void aMasterThatFindsNoPoolEnds() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 20)) {
      StoreOptions.RemoteMemory options = options(pool, TestMemoryPool.SECRET);
      Configuration application = new Configuration(false);
      ClusterPool.of(options, EXECUTOR).writeTo(application);
      pool.stop(0);
      inContainer(
          options,
          () -> {
            MasterLease.take(application).close();
            awaitThatNobodySearches();
            pool.start(0);
            assertThatThrownBy(() -> write(application)).isInstanceOf(RefusedException.class);
            return null;
          });
    }
  }

  @Test
  void aContainerDoesWithoutAPoolThatIsLost() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 20)) {
      StoreOptions.RemoteMemory options = options(pool, TestMemoryPool.SECRET);
      Configuration application = new Configuration(false);
      ClusterPool.of(options, EXECUTOR).writeTo(application);
      ClusterPool known = ClusterPool.in(application).orElseThrow();
      pool.stop(0);
      BlockStore files = new LocalFileStore(directory.resolve("files"));
      BlockId id = new BlockId("attempt_0");
      inContainer(
          options,
          () -> {
            OverflowingStore store = ContainerPool.connect(known).store(JOB, files);
            write(store, id);
            assertThat(store.isOverflowed(id)).isTrue();
            assertThat(files.usedBytes()).isPositive();
            return null;
          });
    }
  }

  @Test
  void aContainerFindsAPoolThatComesBack() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 20)) {
      StoreOptions.RemoteMemory options = options(pool, TestMemoryPool.SECRET);
      Configuration application = new Configuration(false);
      ClusterPool.of(options, EXECUTOR).writeTo(application);
      ClusterPool known = ClusterPool.in(application).orElseThrow();
      pool.stop(0);
      BlockStore files = new LocalFileStore(directory.resolve("files"));
      BlockId before = new BlockId("attempt_0");
      BlockId after = new BlockId("attempt_1");
      inContainer(
          options,
          () -> {
            ContainerPool container = ContainerPool.connect(known);
            OverflowingStore store = container.store(JOB, files);
            write(store, before);
            assertThatThrownBy(() -> store.open(after, new ReadStatistics()))
                .hasMessageContaining("is not there")
                .hasMessageContaining(pool.addresses().get(0).toString());

            pool.start(0);

            try (MasterLease lease = MasterLease.take(application)) {
              awaitConnection(container);
              write(store, after);
              assertThat(store.isOverflowed(after)).isFalse();
              assertThat(pool.usedBytes()).isPositive();
              assertThat(store.isOverflowed(before)).as("what lies in files stays there").isTrue();
              store.open(before, new ReadStatistics()).close();
              store.open(after, new ReadStatistics()).close();
              container.connection().orElseThrow().close();
            }
            return null;
          });
    }
  }

  /** A pool that is there and does not let the container in is no lost one. */
  @Test
  void aContainerWithAWrongSecretIsRefused() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 20)) {
      Configuration application = new Configuration(false);
      ClusterPool.of(options(pool, TestMemoryPool.SECRET), EXECUTOR).writeTo(application);
      assertThatThrownBy(
              () ->
                  inContainer(
                      options(pool, "another secret"),
                      () -> {
                        ContainerPool.connect(ClusterPool.in(application).orElseThrow());
                        return null;
                      }))
          .hasStackTraceContaining("token");
    }
  }

  @Test
  void theClientDeletesWhatAJobHasLeft() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(2, 20)) {
      StoreOptions.RemoteMemory options = options(pool, TestMemoryPool.SECRET);
      Configuration application = new Configuration(false);
      ClusterPool.of(options, EXECUTOR).writeTo(application);
      long free = ClusterPool.freeBytes(options);
      inContainer(
          options,
          () -> {
            try (MasterLease lease = MasterLease.take(application)) {
              write(application);
              assertThat(ClusterPool.freeBytes(options)).isLessThan(free);

              ClusterPool.deleteBlocks(options, JOB);
              ClusterPool.deleteBlocks(options, JOB);

              assertThat(ClusterPool.freeBytes(options)).isEqualTo(free);
              assertThat(names(options, application)).isEmpty();
            }
            return null;
          });
    }
  }

  @Test
  void aPoolThatCannotBeUsedIsNamedBeforeAnApplicationStarts() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, 20)) {
      assertThatThrownBy(() -> ClusterPool.of(options(pool, "another secret"), EXECUTOR))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the memory pool " + pool.addresses().get(0) + " cannot be used")
          .hasMessageContaining("token");
      ContainerSizes small = new ContainerSizes(640, 1, 300, 64L << 20, 64, 0, 200);
      assertThatThrownBy(() -> ClusterPool.of(options(pool, TestMemoryPool.SECRET), small))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("an executor of 640 MB has 0 bytes for buffers")
          .hasMessageContaining("take larger executors");
      pool.stop(0);
      assertThatThrownBy(() -> ClusterPool.of(options(pool, TestMemoryPool.SECRET), EXECUTOR))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot be used")
          .hasMessageContaining("cannot be reached");
    }
  }

  @Test
  void anApplicationWithoutAPoolHasNoLease() throws IOException {
    Configuration application = new Configuration(false);
    assertThat(ClusterPool.in(application)).isEmpty();
    MasterLease.take(application).close();
  }
}
