// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import static java.util.stream.Collectors.groupingBy;

import dev.anemone.beam.metrics.MetricsReports;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleProgressResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.ProcessBundleResponse;
import org.apache.beam.model.pipeline.v1.MetricsApi.MonitoringInfo;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MonitoringInfoConstants.Labels;
import org.apache.beam.runners.fnexecution.control.BundleProgressHandler;

/**
 * What the steps of a stage have counted in the bundles of one task that have ended. Thread-safe.
 */
final class StageMetrics implements BundleProgressHandler {

  private final Map<String, MetricsContainerImpl> containers = new TreeMap<>();

  /** Nothing: what counts is said at the end. */
  @Override
  public void onProgress(ProcessBundleProgressResponse progress) {}

  @Override
  public synchronized void onCompleted(ProcessBundleResponse response) {
    Map<String, List<MonitoringInfo>> bySteps =
        response.getMonitoringInfosList().stream()
            .filter(info -> info.containsLabels(Labels.PTRANSFORM))
            .collect(groupingBy(info -> info.getLabelsOrThrow(Labels.PTRANSFORM)));
    bySteps.forEach(
        (step, infos) -> containers.computeIfAbsent(step, MetricsContainerImpl::new).update(infos));
  }

  /** The values so far, for {@link MetricsReports}; empty if there are none. */
  synchronized Optional<byte[]> report() {
    return MetricsReports.encode(containers);
  }
}
