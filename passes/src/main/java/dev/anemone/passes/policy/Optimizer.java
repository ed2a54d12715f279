// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.CompositePass;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.Pass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.PassRunner;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Applies policies to graphs. Thread-safe. */
public final class Optimizer {

  private final PassRunner runner;

  /**
   * @param runner runs the passes of a policy and verifies what they do
   */
  public Optimizer(PassRunner runner) {
    this.runner = Objects.requireNonNull(runner, "runner");
  }

  /** An optimizer that holds passes to all rules of the IR. */
  public static Optimizer standard() {
    return new Optimizer(PassRunner.standard());
  }

  /**
   * Applies a policy.
   *
   * @return what each pass did; the last graph has everything that the engine needs
   * @throws IllegalArgumentException when an option is unknown to the policy's passes, or has a
   *     value that it must not have
   * @throws PassException when a pass fails, does what it must not do, or cannot be ordered, or
   *     when the policy leaves something undecided
   */
  public OptimizationTrace optimize(Policy policy, IRDag dag, PassContext context) {
    requireKnownOptions(policy, context);
    OptimizationTrace trace =
        runner.run(policy.name(), policy.passes(), policy.runTimePasses(), dag, context);
    Optional<String> missing = RequiredAnnotations.firstMissing(trace.result());
    if (missing.isPresent()) {
      throw new PassException(
          policy.name(),
          "leaves undecided the "
              + missing.get()
              + ", which the engine needs. Let the policy return"
              + " DefaultAnnotations.after(its own passes).");
    }
    return trace;
  }

  /** The options that the passes of a policy read, by name. */
  public static Map<String, PassOption<?>> options(Policy policy) {
    Map<String, PassOption<?>> options = new TreeMap<>();
    collectOptions(policy.passes(), options);
    collectOptions(policy.runTimePasses(), options);
    return options;
  }

  private static void collectOptions(
      List<? extends Pass> passes, Map<String, PassOption<?>> options) {
    for (Pass pass : passes) {
      pass.options().forEach(option -> options.putIfAbsent(option.name(), option));
      if (pass instanceof CompositePass composite) {
        collectOptions(composite.passes(), options);
      }
    }
  }

  private static void requireKnownOptions(Policy policy, PassContext context) {
    Map<String, PassOption<?>> known = options(policy);
    for (String name : context.options().keySet()) {
      if (!known.containsKey(name)) {
        throw new IllegalArgumentException(
            "No pass of policy "
                + policy.name()
                + " reads an option \""
                + name
                + "\"."
                + NearestName.hint(name, known.keySet())
                + " Known options: "
                + known.values().stream()
                    .map(option -> option.name() + " (" + option.description() + ")")
                    .collect(Collectors.joining("; "))
                + ".");
      }
    }
  }
}
