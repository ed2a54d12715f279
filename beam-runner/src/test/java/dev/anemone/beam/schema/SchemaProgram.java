// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.columnar.DistributedRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/** A program of schema transforms on two collections, which can be run and looked at. */
@FunctionalInterface
interface SchemaProgram {

  Map<String, Queue<String>> RESULTS = new ConcurrentHashMap<>();

  PCollection<Row> of(PCollection<Row> left, PCollection<Row> right);

  /** Rows with their schema. */
  record Rows(Schema schema, List<Row> rows) {
    public Rows {
      rows = List.copyOf(rows);
    }
  }

  /** The rows that it gives with their times, as text, in order; or how it fails. */
  default List<String> run(Rows left, Rows right, String... options) {
    Pipeline pipeline = pipeline(options);
    String run = UUID.randomUUID().toString();
    RESULTS.put(run, new ConcurrentLinkedQueue<>());
    rowsOf(pipeline, left, right).apply("Collect", ParDo.of(new CollectFn(run)));
    PipelineResult.State state = pipeline.run().waitUntilFinish();
    if (state != PipelineResult.State.DONE) {
      throw new IllegalStateException("The pipeline ended as " + state);
    }
    return RESULTS.remove(run).stream().sorted().toList();
  }

  /** How many parts of it are replaced by queries in columns. */
  default long parts(Rows left, Rows right, String... options) {
    Pipeline pipeline = pipeline(options);
    rowsOf(pipeline, left, right);
    SchemaParts.replaceIn(pipeline);
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

  /** Why parts of it are not. */
  default List<String> reasons(Rows left, Rows right) {
    Pipeline pipeline = pipeline();
    rowsOf(pipeline, left, right);
    return SchemaParts.replaceIn(pipeline);
  }

  static Pipeline pipeline(String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--runner=NemoRunner", "--slots=2"));
    return Pipeline.create(PipelineOptionsFactory.fromArgs(all.toArray(new String[0])).create());
  }

  private PCollection<Row> rowsOf(Pipeline pipeline, Rows left, Rows right) {
    return of(
        pipeline.apply("Left", Create.of(left.rows()).withRowSchema(left.schema())),
        pipeline.apply("Right", Create.of(right.rows()).withRowSchema(right.schema())));
  }

  /** Collects rows. */
  final class CollectFn extends DoFn<Row, Void> {
    private static final long serialVersionUID = 1L;

    private final String run;

    CollectFn(String run) {
      this.run = run;
    }

    @ProcessElement
    public void process(@Element Row row, @Timestamp Instant time) {
      RESULTS.get(run).add(time + " " + row.getSchema().getFieldNames() + " " + row.getValues());
    }
  }
}
