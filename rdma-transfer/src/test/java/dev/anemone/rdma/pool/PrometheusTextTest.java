// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {

  @Test
  void eachNumberHasItsLine() {
    ServerStatus status =
        new ServerStatus(
            "node1:7070",
            1,
            ServerStatus.State.DRAINING,
            List.of(
                new ServerStatus.Tier(TierKind.DRAM, 100, 40),
                new ServerStatus.Tier(TierKind.FILE, 900, 0)),
            10,
            20,
            10,
            7,
            3);

    assertThat(PrometheusText.of(status).lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "anemone_pool_tier_capacity_bytes{server=\"node1:7070\",tier=\"dram\",number=\"0\"} 100",
            "anemone_pool_tier_capacity_bytes{server=\"node1:7070\",tier=\"file\",number=\"1\"} 900",
            "anemone_pool_tier_used_bytes{server=\"node1:7070\",tier=\"dram\",number=\"0\"} 40",
            "anemone_pool_tier_used_bytes{server=\"node1:7070\",tier=\"file\",number=\"1\"} 0",
            "anemone_pool_draining{server=\"node1:7070\"} 1",
            "anemone_pool_open_bytes{server=\"node1:7070\"} 10",
            "anemone_pool_sealed_bytes{server=\"node1:7070\"} 20",
            "anemone_pool_withheld_bytes{server=\"node1:7070\"} 10",
            "anemone_pool_names{server=\"node1:7070\"} 7",
            "anemone_pool_clients{server=\"node1:7070\"} 3");
    assertThat(PrometheusText.of(status))
        .contains("# HELP anemone_pool_names ", "# TYPE anemone_pool_names gauge\n");
  }
}
