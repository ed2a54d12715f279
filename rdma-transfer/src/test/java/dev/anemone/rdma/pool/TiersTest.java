// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.PoolClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which tier objects lie, on servers that have different ones. */
class TiersTest {

  private static final int DRAM_PAGES = 2 + 8;
  private static final int FILE_PAGES = 20;

  @TempDir private Path directory;

  private TestPool pool() throws IOException {
    return TestPool.ofTiers(
        List.of(
            List.of(
                TierOptions.dram(2L * PAGE), TierOptions.file(directory, (long) FILE_PAGES * PAGE)),
            List.of(TierOptions.dram(8L * PAGE))));
  }

  @Test
  void theDramOfAllServersIsFilledBeforeAnythingElse() throws IOException {
    try (TestPool pool = pool()) {
      PoolClient client = pool.client();
      byte[] bytes = randomBytes(1, DRAM_PAGES * PAGE);

      write(client, "/fast", Lifetime.LEASE, bytes);

      assertThat(used(pool, TierKind.DRAM)).isEqualTo(DRAM_PAGES * PAGE);
      assertThat(used(pool, TierKind.FILE)).isZero();
      assertThat(read(client, "/fast")).isEqualTo(bytes);
      write(client, "/next", Lifetime.LEASE, randomBytes(2, PAGE));
      assertThat(used(pool, TierKind.FILE)).isEqualTo(PAGE);
    }
  }

  @Test
  void anObjectMayAskForATier() throws IOException {
    try (TestPool pool = pool()) {
      PoolClient client = pool.client();
      byte[] bytes = randomBytes(3, FILE_PAGES * PAGE);
      try (var writer = client.create(PoolPath.of("/cold"), Lifetime.LEASE, TierKind.PMEM)) {
        writer.write(ByteBuffer.wrap(bytes));
        writer.commit();
      }

      assertThat(used(pool, TierKind.DRAM)).isZero();
      assertThat(client.getAttributes(PoolPath.of("/cold")).tiers()).containsOnly(TierKind.FILE);
      assertThat(read(client, "/cold")).isEqualTo(bytes);
      try (var writer = client.create(PoolPath.of("/more"), Lifetime.LEASE, TierKind.FILE)) {
        ByteBuffer page = ByteBuffer.allocate(PAGE);
        assertThatThrownBy(
                () -> {
                  writer.write(page);
                  writer.commit();
                })
            .isInstanceOf(PoolFullException.class)
            .hasMessageContaining("full from tier FILE on");
      }
    }
  }

  private static long used(TestPool pool, TierKind kind) {
    long used = 0;
    for (int i = 0; i < pool.addresses().size(); i++) {
      for (ServerStatus.Tier tier : pool.server(i).status().tiers()) {
        used += tier.kind() == kind ? tier.usedBytes() : 0;
      }
    }
    return used;
  }
}
