// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.columnar.DistributedRead;
import dev.anemone.beam.ndp.NdpMetrics;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner;
import org.apache.beam.sdk.extensions.sql.impl.QueryPlanner;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;

/** Runs queries on tables that statements declare, all in one pipeline, with NemoRunner. */
final class NdpRuns {

  private static final Map<String, Queue<Row>> ROWS = new ConcurrentHashMap<>();

  private final String ddl;
  private final boolean collected;
  private final String collection;
  private final UnaryOperator<PCollection<Row>> windows;
  private final Class<? extends QueryPlanner> planner;
  private final String[] options;

  NdpRuns(String ddl, String... options) {
    this(ddl, false, "", UnaryOperator.identity(), AnemoneQueryPlanner.class, options);
  }

  private NdpRuns(
      String ddl,
      boolean collected,
      String collection,
      UnaryOperator<PCollection<Row>> windows,
      Class<? extends QueryPlanner> planner,
      String... options) {
    this.ddl = ddl;
    this.collected = collected;
    this.collection = collection;
    this.windows = windows;
    this.planner = planner;
    this.options = options.clone();
  }

  /** Runs queries on a collection of the rows of the table {@code t}. */
  static NdpRuns overCollection(String ddl, String... options) {
    return overCollection(ddl, UnaryOperator.identity(), options);
  }

  /**
   * The same.
   *
   * @param windows puts it into some, or declares something
   */
  static NdpRuns overCollection(
      String ddl, UnaryOperator<PCollection<Row>> windows, String... options) {
    return new NdpRuns(ddl, true, "", windows, AnemoneQueryPlanner.class, options);
  }

  /**
   * Runs queries on the table {@code t} and on the collection {@code c}.
   *
   * @param collection the query that gives it
   * @param windows puts it into some
   */
  static NdpRuns besideCollection(
      String ddl, String collection, UnaryOperator<PCollection<Row>> windows, String... options) {
    return new NdpRuns(ddl, false, collection, windows, AnemoneQueryPlanner.class, options);
  }

  /** Runs queries that Beam's own planner has planned. */
  static NdpRuns plannedByBeam(String ddl) {
    return new NdpRuns(ddl, false, "", UnaryOperator.identity(), CalciteQueryPlanner.class);
  }

  Pipeline pipeline(String... more) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of(more));
    arguments.add("--runner=NemoRunner");
    return Pipeline.create(
        PipelineOptionsFactory.fromArgs(arguments.toArray(new String[0])).create());
  }

  /** How many parts of a query run in columns. */
  int partsInColumns(String query) {
    Pipeline pipeline = pipeline();
    apply(pipeline, "Query", query);
    List<String> found = new ArrayList<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
            if (node.getTransform() instanceof DistributedRead) {
              found.add(node.getFullName());
            }
            return CompositeBehavior.ENTER_TRANSFORM;
          }
        });
    return found.size();
  }

  PCollection<Row> apply(Pipeline pipeline, String name, String query) {
    if (collected) {
      return PCollectionTuple.of(
              "t", windows.apply(ofTable(pipeline, name + " of", "SELECT * FROM t")))
          .apply(name, SqlTransform.query(query).withQueryPlannerClass(AnemoneQueryPlanner.class));
    }
    if (!collection.isEmpty()) {
      return PCollectionTuple.of("c", windows.apply(ofTable(pipeline, name + " of", collection)))
          .apply(name, SqlTransform.query(query).withDdlString(ddl).withQueryPlannerClass(planner));
    }
    return ofTable(pipeline, name, query);
  }

  private PCollection<Row> ofTable(Pipeline pipeline, String name, String query) {
    return pipeline.apply(
        name, SqlTransform.query(query).withDdlString(ddl).withQueryPlannerClass(planner));
  }

  /**
   * What came of queries.
   *
   * @param rows of each query, comparable and sorted
   * @param counters of reads, see {@link NdpMetrics}, and of the engine's operators, added up over
   *     all of them
   */
  record Outcome(Map<String, List<String>> rows, Map<String, Long> counters) {

    long counter(String name) {
      return counters.getOrDefault(name, 0L);
    }
  }

  /** The rows of each query, comparable and sorted. */
  Map<String, List<String>> run(List<String> queries) {
    return outcome(queries).rows();
  }

  Outcome outcome(List<String> queries) {
    String run = UUID.randomUUID().toString();
    Pipeline pipeline = pipeline();
    for (int i = 0; i < queries.size(); i++) {
      ROWS.put(run + i, new ConcurrentLinkedQueue<>());
      apply(pipeline, "Query " + i, queries.get(i))
          .apply("Collect " + i, ParDo.of(new CollectFn(run + i)));
    }
    PipelineResult result = pipeline.run();
    PipelineResult.State state = result.waitUntilFinish();
    if (state != PipelineResult.State.DONE) {
      throw new IllegalStateException("The pipeline ended as " + state);
    }
    Map<String, List<String>> results = new LinkedHashMap<>();
    for (int i = 0; i < queries.size(); i++) {
      results.put(
          queries.get(i),
          ROWS.remove(run + i).stream()
              .map(row -> comparable(row.getValues()))
              .sorted(Comparator.naturalOrder())
              .toList());
    }
    return new Outcome(results, counters(result));
  }

  private static Map<String, Long> counters(PipelineResult result) {
    Map<String, Long> counters = new HashMap<>();
    result
        .metrics()
        .queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.inNamespace(NdpMetrics.NAMESPACE))
                .addNameFilter(MetricNameFilter.inNamespace("dev.anemone.columns"))
                .build())
        .getCounters()
        .forEach(
            counter ->
                counters.merge(counter.getName().getName(), counter.getAttempted(), Long::sum));
    return counters;
  }

  /** A row as text: exact for whole numbers and decimals, ten digits of doubles. */
  static String comparable(List<Object> values) {
    List<String> texts = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof Double real) {
        texts.add(String.format("%.9e", real + 0.0));
      } else if (value instanceof Number number) {
        texts.add(new BigDecimal(number.toString()).stripTrailingZeros().toPlainString());
      } else {
        texts.add(String.valueOf(value));
      }
    }
    return String.join("|", texts);
  }

  private static final class CollectFn extends DoFn<Row, Void> {
    private static final long serialVersionUID = 1L;

    private final String key;

    CollectFn(String key) {
      this.key = key;
    }

    @ProcessElement
    public void process(@Element Row row) {
      ROWS.get(key).add(row);
    }
  }
}
