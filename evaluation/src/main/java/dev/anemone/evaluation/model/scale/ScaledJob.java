// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.VertexProperty;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.RunTimePasses;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.Resizing;
import dev.anemone.runtime.stage.Sampling;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.stage.TransferSeparation;
import dev.anemone.runtime.tez.dag.TezDagBuilder;
import dev.anemone.runtime.tez.directory.LocalJobDirectory;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.StagePayload;
import dev.anemone.runtime.tez.placement.Placement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.tez.dag.api.DAG;

/**
 * A job of some size, compiled as every job is: a source, and operators behind each other that
 * group by key.
 *
 * @param plans of its stages
 * @param dag for Tez
 */
record ScaledJob(List<StagePlan> plans, DAG dag) {

  private static final long PART_BYTES = 128L << 20;
  static final long TASK_BYTES = 512L << 20;
  private static final int MAX_TASK_ATTEMPTS = 4;
  private static final FunctionSpec CODER = FunctionSpec.of("scale:coder");

  /**
   * A job's shape.
   *
   * @param tasks of all stages together, without what the policy adds
   * @param shuffles one behind the other
   * @param executors that run its tasks
   */
  record Shape(int tasks, int shuffles, int executors) {

    int tasksPerStage() {
      return Math.max(1, tasks / (shuffles + 1));
    }
  }

  /**
   * Compiles a job, and writes what its tasks and its master read into a directory, which it makes.
   */
  static ScaledJob compile(String id, Policy policy, Shape shape, Path directory)
      throws IOException {
    new LocalJobDirectory(directory).create();
    JobFiles files = JobFiles.of(directory.toUri().toString());
    PassContext context = PassContext.of(shape.executors(), TASK_BYTES, Map.of());
    OptimizationTrace trace = Optimizer.standard().optimize(policy, program(shape), context);
    List<StagePlan> plans =
        new StagePlanner(
                TransferSeparation.separate(
                    StagePartitioner.partition(Sampling.originals(trace.result()))),
                Sampling.of(trace.result()))
            .plan(new StagePlan.Job(id, new byte[0], directory.toUri().toString()));
    if (plans.stream().anyMatch(plan -> plan.redrawing().isPresent())) {
      files.writeRunTimePlan(
          new RunTimePlan(
              trace.result(),
              RunTimePasses.names(trace.runTimePasses()),
              context.slots(),
              context.memoryPerTaskBytes(),
              context.options(),
              Resizing.resizableVertices(plans)));
    }
    Map<String, StagePayload> payloads = new HashMap<>();
    for (StagePlan plan : plans) {
      payloads.put(plan.stage().name(), StagePayload.store(plan, files));
    }
    return new ScaledJob(
        plans,
        new TezDagBuilder(MAX_TASK_ATTEMPTS, Placement.of(new Deployment.InProcess()))
            .build("scale", plans, payloads));
  }

  private static IRDag program(Shape shape) {
    ExecutionProperties<VertexProperty> tasks =
        ExecutionProperties.of(new Parallelism(shape.tasksPerStage()));
    IRDag.Builder dag =
        IRDag.builder()
            .add(
                SourceVertex.of(
                        "read",
                        "read",
                        FunctionSpec.of("scale:read"),
                        IntStream.range(0, shape.tasksPerStage())
                            .mapToObj(
                                part ->
                                    new SourcePart(
                                        FunctionSpec.of("scale:part-" + part),
                                        PART_BYTES,
                                        List.of()))
                            .toList())
                    .withProperties(tasks));
    String last = "read";
    for (int shuffle = 1; shuffle <= shape.shuffles(); shuffle++) {
      String group = "group" + shuffle;
      dag.add(
          OperatorVertex.of(group, group, FunctionSpec.of("scale:group")).withProperties(tasks));
      dag.add(
          IREdge.of("shuffle" + shuffle, last, group, CommunicationPattern.SHUFFLE, CODER)
              .with(Order.BY_KEY)
              .with(new KeyExtractor(FunctionSpec.of("scale:key")))
              .with(new KeyEncoder(CODER)));
      last = group;
    }
    return dag.build();
  }
}
