// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import dev.anemone.evaluation.lab.report.Findings;
import dev.anemone.evaluation.model.scale.ScaledJob.Shape;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs jobs of one policy, the smallest first, and writes after each what all have cost so far: the
 * next one may be too large for this JVM.
 */
public final class ScaleProgram {

  /** Small jobs before the first that counts, until its code is compiled. */
  private static final Shape WARM_UP = new Shape(2_000, 1, 100);

  private static final int WARM_UPS = 3;

  private ScaleProgram() {}

  /** What the jobs that came to their end have cost. */
  record Costs(List<ScaleCost> costs) {}

  /** Arguments: policy, a directory, the file for {@link Costs}, shuffles, executors, tasks ... */
  public static void main(String[] args) throws IOException {
    Policy policy = PolicyRegistry.ofContext().policy(args[0]);
    Path directory = Path.of(args[1]).resolve("job");
    Path figures = Path.of(args[2]);
    int shuffles = Integer.parseInt(args[3]);
    int executors = Integer.parseInt(args[4]);
    for (int i = 0; i < WARM_UPS; i++) {
      ScaleCost.of(policy, WARM_UP, directory);
    }
    List<ScaleCost> costs = new ArrayList<>();
    for (int tasks : Arrays.stream(args).skip(5).mapToInt(Integer::parseInt).sorted().toArray()) {
      costs.add(ScaleCost.of(policy, new Shape(tasks, shuffles, executors), directory));
      Findings.write(figures, new Costs(List.copyOf(costs)));
    }
  }
}
