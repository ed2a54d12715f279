// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class VertexHostsTest {

  @Provide
  Arbitrary<Set<String>> hosts() {
    return Arbitraries.of("a", "b.example.com", "127.0.0.1", "d", "e-1").set().ofMaxSize(5);
  }

  @Property(tries = 200)
  void settingsAreReadAsTheyWereWritten(@ForAll("hosts") Set<String> hosts, @ForAll boolean bound) {
    VertexHosts written = new VertexHosts(List.copyOf(hosts), bound && !hosts.isEmpty());
    Configuration settings = new Configuration(false);
    written.settings().forEach(settings::set);
    assertThat(VertexHosts.in(settings)).isEqualTo(written);
  }

  @Property(tries = 200)
  void aBoundTaskAsksForAllItsHostsAndNoOther(
      @ForAll("hosts") Set<String> hosts, @ForAll("hosts") Set<String> preferred) {
    VertexHosts ofVertex = new VertexHosts(List.copyOf(hosts), !hosts.isEmpty());
    if (hosts.isEmpty()) {
      assertThat(ofVertex.wanted(null)).isNull();
      return;
    }
    String[] wanted = ofVertex.wanted(preferred.toArray(String[]::new));
    assertThat(wanted).containsExactlyInAnyOrderElementsOf(hosts);
    Set<String> first = new LinkedHashSet<>(preferred);
    first.retainAll(hosts);
    assertThat(List.of(wanted).subList(0, first.size())).containsExactlyElementsOf(first);
  }

  @Test
  void anotherTaskAsksForWhatItPrefersElseForAll() {
    VertexHosts hosts = new VertexHosts(List.of("a", "b"), false);
    assertThat(hosts.wanted(new String[] {"b"})).containsExactly("b");
    assertThat(hosts.wanted(new String[0])).containsExactly("a", "b");
    assertThat(hosts.wanted(null)).containsExactly("a", "b");
  }

  @Test
  void aTaskThatMayRunNowhereIsAMistake() {
    assertThatIllegalArgumentException().isThrownBy(() -> new VertexHosts(List.of(), true));
  }

  @Test
  void whatMayRunAnywhereMayFollowAnybody() {
    VertexHosts anywhere = new VertexHosts(List.of(), false);
    VertexHosts some = new VertexHosts(new ArrayList<>(List.of("a", "b")), true);
    assertThat(anywhere.covers(some)).isTrue();
    assertThat(some.covers(anywhere)).isFalse();
    assertThat(some.covers(new VertexHosts(List.of("b"), false))).isTrue();
    assertThat(some.covers(new VertexHosts(List.of("b", "c"), false))).isFalse();
  }
}
