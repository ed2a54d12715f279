// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.metrics;

import dev.anemone.ui.model.JobModel;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/**
 * What a Prometheus server scrapes: this JVM's memory, threads and processors, and how far its jobs
 * are. Thread-safe.
 */
public final class PrometheusPage implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final JobMeters jobs = new JobMeters(registry);

  /** A page of this JVM. */
  public PrometheusPage() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  /** The page as it is now, with these jobs. */
  public synchronized String text(List<JobModel> shown) {
    jobs.update(shown);
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
