package dev.anemone.beam.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.EdgeCounters;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeTableTest {

  @Test
  void everyEdgeHasALineInTheOrderOfTheNumbersOfTheIds() {
    EdgeCounters large =
        new EdgeCounters(
            20_000_000,
            2_160_000_000L,
            1_950_000_000,
            12,
            3,
            250_000,
            249_500,
            5,
            7_340_000,
            64,
            134_217_728);

    String table =
        EdgeTable.of(Map.of("e10", EdgeCounters.NONE, "e3+e11", large, "e2", EdgeCounters.NONE));

    assertThat(table)
        .isEqualTo(
            """
            edge       records     raw  stored  spills    reads    seeks  pushed  fallen back  peak memory
            e2               0     0 B     0 B       0        0        0     0 B          0 B          0 B
            e3+e11  20,000,000  2.2 GB  2.0 GB      12  250,000  249,500  7.3 MB         64 B       134 MB
            e10              0     0 B     0 B       0        0        0     0 B          0 B          0 B
            """);
  }

  @Test
  void aJobWithoutEdgesSaysSo() {
    assertThat(EdgeTable.of(Map.of())).isEqualTo("Nothing went between the stages of this job.\n");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "999, 999 B",
    "1000, 1.0 kB",
    "99949, 99.9 kB",
    "99951, 100 kB",
    "999499, 999 kB",
    "999500, 1.0 MB",
    "2147483648, 2.1 GB",
    "9223372036854775807, 9.2 EB"
  })
  void bytesHaveAUnitAndTwoOrThreeDigits(long bytes, String text) {
    assertThat(EdgeTable.bytes(bytes)).isEqualTo(text);
  }
}
