// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {

  private static final ServerStatus STATUS =
      new ServerStatus(
          "node1:7070",
          1,
          ServerStatus.State.DRAINING,
          List.of(
              new ServerStatus.Tier(TierKind.DRAM, 100, 40, 0),
              new ServerStatus.Tier(TierKind.FILE, 900, 0, 900)),
          10,
          20,
          10,
          7,
          3,
          new ServerStatus.Counters(
              new ServerStatus.Commits(11, 12_000_000_000L),
              new ServerStatus.Lookups(13, 14, 15),
              new ServerStatus.Pages(16, 17, 18)));

  private static final Pattern SAMPLE =
      Pattern.compile("([a-z_]+)\\{server=\"node1:7070\"(,[a-z]+=\"[a-z0-9]+\")*\\} [0-9]+");
  private static final Pattern HELP = Pattern.compile("# HELP ([a-z_]+) [A-Z0-9].*\\.");
  private static final Pattern TYPE = Pattern.compile("# TYPE ([a-z_]+) (gauge|counter)");

  @Test
  void eachNumberHasItsLine() {
    assertThat(PrometheusText.of(STATUS).lines().filter(line -> !line.startsWith("#")))
        .containsExactly(
            "anemone_pool_tier_capacity_bytes{server=\"node1:7070\",tier=\"dram\",number=\"0\"} 100",
            "anemone_pool_tier_capacity_bytes{server=\"node1:7070\",tier=\"file\",number=\"1\"} 900",
            "anemone_pool_tier_used_bytes{server=\"node1:7070\",tier=\"dram\",number=\"0\"} 40",
            "anemone_pool_tier_used_bytes{server=\"node1:7070\",tier=\"file\",number=\"1\"} 0",
            "anemone_pool_tier_served_bytes{server=\"node1:7070\",tier=\"dram\",number=\"0\"} 0",
            "anemone_pool_tier_served_bytes{server=\"node1:7070\",tier=\"file\",number=\"1\"} 900",
            "anemone_pool_draining{server=\"node1:7070\"} 1",
            "anemone_pool_open_bytes{server=\"node1:7070\"} 10",
            "anemone_pool_sealed_bytes{server=\"node1:7070\"} 20",
            "anemone_pool_withheld_bytes{server=\"node1:7070\"} 10",
            "anemone_pool_names{server=\"node1:7070\"} 7",
            "anemone_pool_clients{server=\"node1:7070\"} 3",
            "anemone_pool_committed_objects_total{server=\"node1:7070\"} 11",
            "anemone_pool_committed_bytes_total{server=\"node1:7070\"} 12000000000",
            "anemone_pool_lookups_total{server=\"node1:7070\"} 13",
            "anemone_pool_found_objects_total{server=\"node1:7070\"} 14",
            "anemone_pool_found_bytes_total{server=\"node1:7070\"} 15",
            "anemone_pool_sealed_bytes_total{server=\"node1:7070\"} 16",
            "anemone_pool_freed_bytes_total{server=\"node1:7070\"} 17",
            "anemone_pool_refused_pages_total{server=\"node1:7070\"} 18");
  }

  /** As the format has it: help, type, and then the samples of the one name. */
  @Test
  void eachNameHasItsHelpAndItsTypeBeforeItsSamples() {
    Map<String, String> types = new HashMap<>();
    String helped = "";
    String typed = "";
    for (String line : PrometheusText.of(STATUS).lines().toList()) {
      Matcher help = HELP.matcher(line);
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (help.matches()) {
        helped = help.group(1);
      } else if (type.matches()) {
        typed = type.group(1);
        assertThat(typed).isEqualTo(helped);
        assertThat(types.put(typed, type.group(2))).as(line).isNull();
      } else {
        assertThat(line).matches(SAMPLE);
        assertThat(sample.matches() ? sample.group(1) : "").isEqualTo(typed);
      }
    }
    assertThat(types)
        .hasSize(17)
        .allSatisfy(
            (name, type) ->
                assertThat(type).isEqualTo(name.endsWith("_total") ? "counter" : "gauge"));
  }
}
