// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn.security;

import dev.anemone.beam.ndp.NdpMetrics;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import java.util.Arrays;
import java.util.TreeMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A user's program, in a JVM of its own, that logs in to a secure cluster and asks a query of a
 * table of {@code TYPE ndp}. It ends with a line for each counter of near-data reads.
 */
public final class SecureQuery {

  /** What it reads and writes. */
  public interface Options extends PipelineOptions {
    @Validation.Required
    String getInput();

    void setInput(String input);

    @Validation.Required
    String getOutput();

    void setOutput(String output);
  }

  private SecureQuery() {}

  /**
   * Runs the query.
   *
   * @param args the file that says that the cluster is secure, the user and the file with the
   *     user's key; then the pipeline's
   */
  public static void main(String[] args) throws Exception {
    Configuration configuration = new Configuration();
    configuration.addResource(new Path(args[0]));
    UserGroupInformation.setConfiguration(configuration);
    UserGroupInformation.loginUserFromKeytab(args[1], args[2]);
    Options options =
        PipelineOptionsFactory.fromArgs(Arrays.copyOfRange(args, 3, args.length))
            .withValidation()
            .as(Options.class);
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(
            SqlTransform.query("SELECT COUNT(*) AS n, SUM(id) AS total FROM t WHERE id < 1000")
                .withDdlString(
                    "CREATE EXTERNAL TABLE t (id BIGINT, name VARCHAR) TYPE ndp LOCATION '"
                        + options.getInput()
                        + "' TBLPROPERTIES '{\"format\": \"csv\", \"delimiter\": \"|\"}'")
                .withQueryPlannerClass(AnemoneQueryPlanner.class))
        .apply(
            MapElements.into(TypeDescriptors.strings())
                .via(row -> row.getInt64("n") + " rows of " + row.getInt64("total")))
        .apply(TextIO.write().to(options.getOutput()).withoutSharding());
    PipelineResult result = pipeline.run();
    if (result.waitUntilFinish() != PipelineResult.State.DONE) {
      throw new IllegalStateException("the pipeline has ended as " + result.getState());
    }
    TreeMap<String, Long> counters = new TreeMap<>();
    result
        .metrics()
        .queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.inNamespace(NdpMetrics.NAMESPACE))
                .build())
        .getCounters()
        .forEach(
            counter ->
                counters.merge(counter.getName().getName(), counter.getAttempted(), Long::sum));
    counters.forEach((name, count) -> System.out.println("counter " + name + " " + count));
  }
}
