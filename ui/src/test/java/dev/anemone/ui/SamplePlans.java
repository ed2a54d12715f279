// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.beam.translation.PipelineTranslator;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.print.JsonPrinter;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.PolicyRegistry;
import dev.anemone.runtime.event.PlanMade;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;

/** Plans of real pipelines, as the passes of a policy make them. */
final class SamplePlans {

  private SamplePlans() {}

  /**
   * A pipeline that counts in some branches and joins what they counted.
   *
   * @param branches how many; each has seven vertices or so
   */
  static OptimizationTrace counting(String policy, int branches) {
    Pipeline pipeline = Pipeline.create();
    List<PCollection<KV<Long, Long>>> counted = new ArrayList<>();
    for (int i = 0; i < branches; i++) {
      String suffix = branches == 1 ? "" : " " + i;
      counted.add(
          pipeline
              .apply("Read clicks" + suffix, GenerateSequence.from(0).to(1_000_000))
              .apply("Parse" + suffix, ParDo.of(new RemainderFn()))
              .apply("Count by user" + suffix, Count.perKey()));
    }
    PCollectionList.of(counted)
        .apply("All", Flatten.pCollections())
        .apply("By user", GroupByKey.create())
        .apply("<script>alert(1)</script>", ParDo.of(new SumFn()));
    PipelineOptions options = PipelineOptionsFactory.create();
    return Optimizer.standard()
        .optimize(
            PolicyRegistry.ofContext().policy(policy),
            PipelineTranslator.translate(pipeline, options, 4).dag(),
            PassContext.of(4, 64L << 20, Map.of()));
  }

  /** The events of a trace. */
  static List<PlanMade> events(OptimizationTrace trace, long time) {
    List<PlanMade> plans = new ArrayList<>();
    plans.add(
        new PlanMade(time, 0, Optional.empty(), true, List.of(), Optional.of(tree(trace.input()))));
    int index = 0;
    for (OptimizationStep step : trace.steps()) {
      index++;
      boolean changed = step.outcome() == OptimizationStep.Outcome.CHANGED;
      plans.add(
          new PlanMade(
              time + index,
              index,
              Optional.of(step.path()),
              changed,
              step.notes(),
              changed ? Optional.of(tree(step.after())) : Optional.empty()));
    }
    return plans;
  }

  private static JsonNode tree(IRDag dag) {
    try {
      return new ObjectMapper().readTree(new JsonPrinter().print(dag));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static final class RemainderFn extends DoFn<Long, KV<Long, Long>> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Long number, OutputReceiver<KV<Long, Long>> out) {
      out.output(KV.of(number % 1000, number));
    }
  }

  private static final class SumFn extends DoFn<KV<Long, Iterable<Long>>, Long> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element KV<Long, Iterable<Long>> group, OutputReceiver<Long> out) {
      long sum = 0;
      for (long value : group.getValue()) {
        sum += value;
      }
      out.output(sum);
    }
  }
}
