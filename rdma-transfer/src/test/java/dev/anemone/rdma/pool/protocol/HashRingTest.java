// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class HashRingTest {

  private static final int DIRECTORIES = 5_000;

  @Property(tries = 20)
  void directoriesAreSpreadEvenly(@ForAll @IntRange(min = 2, max = 12) int servers) {
    HashRing ring = new HashRing(servers(servers));
    int[] primaries = new int[servers];
    int[] replicas = new int[servers];
    for (int i = 0; i < DIRECTORIES; i++) {
      HashRing.Pair pair = ring.serversOf(PoolPath.of("/job/stage" + i));
      assertThat(pair.primary()).isNotEqualTo(pair.replica());
      primaries[pair.primary()]++;
      replicas[pair.replica()]++;
    }
    for (int server = 0; server < servers; server++) {
      assertThat(primaries[server]).isBetween(share(servers, 0.6), share(servers, 1.5));
      assertThat(replicas[server]).isBetween(share(servers, 0.5), share(servers, 1.7));
    }
  }

  @Property(tries = 10)
  void withoutOneServerOnlyItsDirectoriesMove(
      @ForAll @IntRange(min = 3, max = 10) int servers, @ForAll @IntRange(max = 9) int some) {
    List<ServerAddress> all = servers(servers);
    ServerAddress gone = all.get(some % servers);
    List<ServerAddress> others = new ArrayList<>(all);
    others.remove(gone);
    HashRing before = new HashRing(all);
    HashRing after = new HashRing(others);
    for (int i = 0; i < 500; i++) {
      PoolPath directory = PoolPath.of("/job/" + i);
      HashRing.Pair pair = before.serversOf(directory);
      ServerAddress primary = all.get(pair.primary());
      ServerAddress expected = primary.equals(gone) ? all.get(pair.replica()) : primary;
      assertThat(others.get(after.serversOf(directory).primary())).isEqualTo(expected);
    }
  }

  @Example
  void oneServerHasNoReplica() {
    HashRing.Pair pair = new HashRing(servers(1)).serversOf(PoolPath.ROOT);
    assertThat(pair).isEqualTo(new HashRing.Pair(0, -1));
  }

  private static int share(int servers, double factor) {
    return (int) (DIRECTORIES * factor / servers);
  }

  private static List<ServerAddress> servers(int count) {
    return ServerAddress.inOrder(
        IntStream.range(0, count).mapToObj(i -> new ServerAddress("host" + i, 7070)).toList());
  }
}
