// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlPipelineOptions;
import org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/** Runs SQL on rows in memory with NemoRunner, with this package's operators or with Beam's. */
final class SqlRuns {
  private static final Map<String, Queue<Row>> RESULTS = new ConcurrentHashMap<>();

  private SqlRuns() {}

  /** What a query gives, with the operators that it was planned with. */
  record Result(List<Row> rows, List<String> operators) {}

  /** Runs a query on {@code PCOLLECTION} with this package's operators where they apply. */
  static Result ours(String sql, Schema schema, List<Row> rows) {
    return run(sql, schema, rows, ExecPlanner.class.getName());
  }

  /** Runs a query on {@code PCOLLECTION} with Beam's operators. */
  static Result beams(String sql, Schema schema, List<Row> rows) {
    return run(sql, schema, rows, CalciteQueryPlanner.class.getName());
  }

  /**
   * Throws what Beam's operators throw when they are made for a query. Their code generator has
   * errors: an {@code EXTRACT} inside a {@code CASE} ends in a NullPointerException, and some texts
   * become Java that its compiler refuses.
   */
  static void checkBeamsCan(String sql, Schema schema) {
    plan(sql, schema, List.of(), CalciteQueryPlanner.class.getName());
  }

  private static PCollection<Row> plan(String sql, Schema schema, List<Row> rows, String planner) {
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--parallelism=2").create();
    options.as(BeamSqlPipelineOptions.class).setPlannerName(planner);
    return Pipeline.create(options)
        .apply(Create.of(rows).withRowSchema(schema))
        .apply(SqlTransform.query(sql));
  }

  private static Result run(String sql, Schema schema, List<Row> rows, String planner) {
    PCollection<Row> output = plan(sql, schema, rows, planner);
    Pipeline pipeline = output.getPipeline();
    String run = UUID.randomUUID().toString();
    RESULTS.put(run, new ConcurrentLinkedQueue<>());
    output.apply(ParDo.of(new CollectFn(run)));
    pipeline.run().waitUntilFinish();
    return new Result(List.copyOf(RESULTS.remove(run)), operators(pipeline));
  }

  private static List<String> operators(Pipeline pipeline) {
    List<String> names = new ArrayList<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
            String name = node.getFullName();
            String last = name.substring(name.lastIndexOf('/') + 1);
            if (last.matches("\\w+Rel_\\d+")) {
              names.add(last.substring(0, last.indexOf('_')));
            }
            return CompositeBehavior.ENTER_TRANSFORM;
          }
        });
    return names;
  }

  /** Tasks run in this JVM. */
  private static final class CollectFn extends DoFn<Row, Void> {
    private static final long serialVersionUID = 1;

    private final String run;

    CollectFn(String run) {
      this.run = run;
    }

    @ProcessElement
    public void processElement(@Element Row row) {
      RESULTS.get(run).add(row);
    }
  }
}
