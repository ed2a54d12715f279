// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.evaluation.lab.edges.EdgeFigures.TaskReads;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.metrics.MetricName;
import org.junit.jupiter.api.Test;

class EdgeFiguresTest {

  @Test
  void takesCountersAndReadsOfEveryEdgeAndNothingOfAUser() {
    MetricsContainerStepMap metrics = new MetricsContainerStepMap();
    MetricsContainerImpl first = metrics.getContainer("e1");
    first.getCounter(ofEdge("rawBytes")).inc(600);
    first.getCounter(ofEdge("spills")).inc(2);
    for (long bytes : new long[] {100, 300, 200}) {
      first.getDistribution(ofEdge("readBytesPerTask")).update(bytes);
    }
    first.getDistribution(ofEdge("other")).update(1);
    metrics.getContainer("e2+e3").getCounter(ofEdge("rawBytes")).inc(7);
    metrics.getContainer("a user's step").getCounter(MetricName.named("user", "words")).inc(9);

    EdgeFigures figures = EdgeFigures.of(MetricsContainerStepMap.asMetricResults(metrics, metrics));

    assertThat(figures.counters()).containsOnlyKeys("e1", "e2+e3");
    assertThat(figures.counters().get("e1"))
        .containsOnly(entry("rawBytes", 600L), entry("spills", 2L));
    assertThat(figures.reads()).containsOnly(entry("e1", new TaskReads(3, 600, 100, 300)));
  }

  private static MetricName ofEdge(String name) {
    return MetricName.named(EdgeMetrics.NAMESPACE, name);
  }

  @Test
  void theBusiestTaskIsComparedWithTheMean() {
    assertThat(new TaskReads(4, 400, 100, 100).maxToMean()).isEqualTo(1);
    assertThat(new TaskReads(4, 400, 0, 400).maxToMean()).isEqualTo(4);
    assertThat(new TaskReads(4, 0, 0, 0).maxToMean()).isEqualTo(1);
  }
}
