// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.fs.BlockLocation;
import org.junit.jupiter.api.Test;

class FileBlocksTest {

  private static final int BLOCK_BYTES = 10;

  @Test
  void aPartOfOneBlockIsWhereTheBlockIs() throws IOException {
    FileBlocks blocks = blocks(List.of(List.of("a", "b"), List.of("c")));

    assertThat(blocks.hosts(2, 8, 3)).containsExactly("a", "b");
    assertThat(blocks.hosts(10, 20, 3)).containsExactly("c");
  }

  @Test
  void theHostsWithTheMostBytesComeFirst() throws IOException {
    FileBlocks blocks = blocks(List.of(List.of("a", "b"), List.of("b", "c"), List.of("d")));

    // 4 bytes of the first block, all 10 of the second, 1 of the third.
    assertThat(blocks.hosts(6, 21, 4)).containsExactly("b", "c", "a", "d");
    assertThat(blocks.hosts(6, 21, 2)).containsExactly("b", "c");
  }

  @Test
  void beyondTheEndThereAreNoHosts() throws IOException {
    FileBlocks blocks = blocks(List.of(List.of("a")));

    assertThat(blocks.hosts(10, 20, 3)).isEmpty();
    assertThat(blocks.hosts(5, 5, 3)).isEmpty();
    assertThat(FileBlocks.UNKNOWN.hosts(0, 10, 3)).isEmpty();
  }

  @Property(tries = 200)
  void noHostThatIsLeftOutHasMoreBytes(
      @ForAll("replicas") List<List<String>> replicas,
      @ForAll @IntRange(max = 60) int start,
      @ForAll @IntRange(max = 60) int length)
      throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (int position = start; position < start + length; position++) {
      if (position / BLOCK_BYTES < replicas.size()) {
        replicas.get(position / BLOCK_BYTES).forEach(host -> bytes.merge(host, 1L, Long::sum));
      }
    }

    List<String> hosts = blocks(replicas).hosts(start, start + length, 2);

    assertThat(hosts).hasSize(Math.min(2, bytes.size()));
    assertThat(hosts.stream().map(bytes::get).toList())
        .isEqualTo(bytes.values().stream().sorted((x, y) -> Long.compare(y, x)).limit(2).toList());
  }

  @Provide
  Arbitrary<List<List<String>>> replicas() {
    return Arbitraries.of("a", "b", "c", "d", "e")
        .list()
        .uniqueElements()
        .ofMinSize(1)
        .ofMaxSize(3)
        .list()
        .ofMaxSize(5);
  }

  private static FileBlocks blocks(List<List<String>> replicas) throws IOException {
    List<BlockLocation> locations = new ArrayList<>();
    for (List<String> hosts : replicas) {
      String[] names = hosts.toArray(new String[0]);
      locations.add(
          new BlockLocation(names, names, (long) locations.size() * BLOCK_BYTES, BLOCK_BYTES));
    }
    return FileBlocks.of(locations.toArray(new BlockLocation[0]));
  }
}
