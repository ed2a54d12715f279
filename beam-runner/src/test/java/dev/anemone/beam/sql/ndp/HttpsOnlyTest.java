// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.ndp.NdpMetrics;
import dev.anemone.ndp.proxy.NdpProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that is pushed to proxies in a cluster where nothing speaks HTTP. */
@Tag("slow")
class HttpsOnlyTest {

  private static final String QUERY =
      "SELECT flag, SUM(price) AS b, COUNT(*) AS e FROM t WHERE shipped <= DATE '1998-09-02'"
          + " GROUP BY flag";

  @TempDir private static Path directory;

  @Test
  void proxiesOfHttpsAreUsed() throws Exception {
    try (StorageCluster cluster = StorageCluster.ofHttps(directory);
        NdpFiles files = new NdpFiles(directory.resolve("local"), 30_000)) {
      String ddl = files.ddl("parquet", cluster.put(directory.resolve("local/parquet")));
      List<NdpProxy> proxies = cluster.proxies();
      try {
        String addresses =
            proxies.stream()
                .map(proxy -> "https://127.0.0.1:" + proxy.address().getPort())
                .collect(Collectors.joining(","));
        NdpRuns.Outcome pushed = run(cluster, ddl, addresses);
        assertThat(pushed.rows().get(QUERY)).isEqualTo(files.answer(QUERY)).isNotEmpty();
        assertThat(pushed.counter(NdpMetrics.SPLITS_PUSHED)).isPositive();
        assertThat(pushed.counter(NdpMetrics.READ_BYTES)).isZero();
        // The same by HTTP finds nobody who answers, and reads by itself.
        NdpRuns.Outcome pulled = run(cluster, ddl, addresses.replace("https://", ""));
        assertThat(pulled.rows().get(QUERY)).isEqualTo(files.answer(QUERY));
        assertThat(pulled.counter(NdpMetrics.SPLITS_PUSHED)).isZero();
      } finally {
        proxies.forEach(NdpProxy::close);
      }
    }
  }

  private static NdpRuns.Outcome run(StorageCluster cluster, String ddl, String proxies)
      throws Exception {
    return new NdpRuns(
            ddl,
            "--optimizationPolicy=FullPushdown",
            "--ndpProxies=" + proxies,
            cluster.option(),
            "--slots=2")
        .outcome(List.of(QUERY));
  }
}
