// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import com.sun.management.ThreadMXBean;
import dev.anemone.evaluation.model.kernel.KernelRecords.KernelCheck;
import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import dev.anemone.evaluation.model.kernel.StoreShuffle.PushShuffle;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.remote.RemoteMemoryStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Shuffles few records and then many, in one JVM, and says what all its threads together have
 * allocated on the heap for each: {@code allocated}, the bytes for few, the bytes for many. What
 * does not grow with the records is in both.
 */
public final class AllocationProgram {
  static final String ALLOCATED = "allocated";

  /** Until compiled code, which allocates less, has taken over. */
  private static final int WARM_UPS = 3;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @FunctionalInterface
  private interface Shuffle {
    KernelCheck run(KernelShape shape) throws IOException, InterruptedException;
  }

  private AllocationProgram() {}

  /** Arguments: path, directory, few, many, partitions, bytes; for a pool transport, server. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Path.of(args[1]);
    KernelShape few = shape(args, args[2], directory);
    KernelShape many = shape(args, args[3], directory);
    LocalFileStore files = new LocalFileStore(directory);
    switch (ShufflePath.valueOf(args[0])) {
      case FILES -> {
        StoreShuffle shuffle = new StoreShuffle(new PagePool(many.memoryBytes()), files);
        measure(shuffle::shuffle, few, many);
      }
      case PUSH -> {
        PushShuffle shuffle = new PushShuffle(new PagePool(PushShuffle.poolBytes(many)), files);
        measure(shuffle::shuffle, few, many);
      }
      case POOL -> {
        try (Transport transport = Transports.found().open(args[6]);
            PoolClient client =
                PoolClient.connect(
                    transport,
                    PoolClientOptions.of(
                        List.of(ServerAddress.parse(args[7])), AccessToken.open()))) {
          RemoteMemoryStore store =
              new RemoteMemoryStore(client, PoolPath.of("/allocation"), Lifetime.LEASE, files);
          StoreShuffle shuffle = new StoreShuffle(new PagePool(many.memoryBytes()), store);
          measure(shuffle::shuffle, few, many);
        }
      }
    }
  }

  private static KernelShape shape(String[] args, String records, Path files) {
    return new KernelShape(
        Long.parseLong(records), Integer.parseInt(args[4]), Long.parseLong(args[5]), false, files);
  }

  private static void measure(Shuffle shuffle, KernelShape few, KernelShape many)
      throws IOException, InterruptedException {
    KernelCheck expected = KernelCheck.expected(many.records());
    for (int i = 0; i < WARM_UPS; i++) {
      shuffle.run(many).requireEqual(expected);
    }
    long before = allocated();
    shuffle.run(few).requireEqual(KernelCheck.expected(few.records()));
    long between = allocated();
    shuffle.run(many).requireEqual(expected);
    long after = allocated();
    System.out.println(ALLOCATED + " " + (between - before) + " " + (after - between));
  }

  /** Bytes of all threads since they started; all that shuffle live until the end. */
  private static long allocated() {
    return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }

  enum ShufflePath {
    FILES("local files"),
    POOL("pool"),
    /** Pushed over TCP to a receiver, whose block lies in local files. */
    PUSH("push");

    private final String label;

    ShufflePath(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }
}
