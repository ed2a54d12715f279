// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.check.IRCheckException;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.message.Message;
import dev.anemone.ir.property.Property;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs passes and holds them to what they declare. After each pass it verifies that
 *
 * <ul>
 *   <li>the result came about by edits: they are applied again to the graph that the pass got, and
 *       must give the same result;
 *   <li>the pass used only edits that its kind and its declaration allow;
 *   <li>every rule of the checker holds.
 * </ul>
 *
 * Each failure is a {@link PassException} that names the pass. Thread-safe.
 */
public final class PassRunner {

  private final IRDagChecker checker;

  /**
   * @param checker its rules must hold before the first and after every pass
   */
  public PassRunner(IRDagChecker checker) {
    this.checker = Objects.requireNonNull(checker, "checker");
  }

  /** A runner with all rules of the IR. */
  public static PassRunner standard() {
    return new PassRunner(IRDagChecker.standard());
  }

  /**
   * Runs compile-time passes, in the given order except where requirements say not to.
   *
   * @param policy first part of the path under which the passes are reported
   * @param passes the compile-time passes
   * @param runTimePasses handed on in the trace, for {@link #runTime}
   * @throws PassException when a pass fails, or does what it must not do, or cannot be ordered
   */
  public OptimizationTrace run(
      String policy,
      List<? extends CompileTimePass> passes,
      List<RunTimePass<?>> runTimePasses,
      IRDag dag,
      PassContext context) {
    List<CompileTimePass> compileTimePasses = List.copyOf(passes);
    List<CompileTimePass> ordered = PassOrder.order(compileTimePasses, Set.of());
    Set<String> compileTimeNames = new HashSet<>();
    ordered.forEach(pass -> compileTimeNames.addAll(PassOrder.provides(pass)));
    List<RunTimePass<?>> orderedRunTime = PassOrder.order(runTimePasses, compileTimeNames);
    parseOptions(ordered, context);
    parseOptions(orderedRunTime, context);
    requireSound(policy, dag);
    Run run = new Run(context, dag);
    run.all(policy, ordered);
    List<RunTimePass<?>> live = run.withoutSkipped(policy, orderedRunTime);
    return new OptimizationTrace(policy, dag, run.steps, live);
  }

  /**
   * Applies one run-time pass to the graph of a running job.
   *
   * @param pass must take messages of this class
   * @param dag the graph as it is now
   * @param message what the job has measured
   * @param context names the vertices that have started, and those that can get fewer tasks
   * @throws PassException when the pass fails, or touches what has started, or reshapes, or changes
   *     a number of tasks that is fixed, or adds tasks
   */
  public <M extends Message> OptimizationStep runTime(
      RunTimePass<M> pass, IRDag dag, Message message, PassContext context) {
    String name = pass.name();
    if (!pass.messageType().isInstance(message)) {
      throw new PassException(
          name,
          "takes messages of "
              + pass.messageType().getName()
              + " but was given one of "
              + message.getClass().getName()
              + ".");
    }
    if (!holds(name, pass, dag, context)) {
      return OptimizationStep.skipped(name, dag, conditionReason(pass));
    }
    M measured = pass.messageType().cast(message);
    IRDag result = call(name, () -> pass.apply(dag, measured, context));
    List<DagEdit> edits = EditAudit.newEdits(name, dag, result);
    EditAudit.requireNotStarted(name, edits, dag, context.startedVertices());
    EditAudit.requireResizable(name, edits, dag, context.resizableVertices());
    check(name, dag, result);
    List<String> notes = guarded(name, () -> pass.notes(dag, measured, context));
    return OptimizationStep.of(name, dag, result, notes);
  }

  /** Finds bad values before the first pass runs, also those of passes that will be skipped. */
  private static void parseOptions(List<? extends Pass> passes, PassContext context) {
    for (Pass pass : passes) {
      pass.options().forEach(context::get);
      if (pass instanceof CompositePass composite) {
        parseOptions(composite.passes(), context);
      }
    }
  }

  private void requireSound(String policy, IRDag dag) {
    try {
      checker.check("none", dag);
    } catch (IRCheckException e) {
      throw new PassException(
          policy, "was given a graph that breaks rules before any pass: " + e.getMessage(), e);
    }
  }

  private void check(String path, IRDag before, IRDag after) {
    if (after.equals(before)) {
      return;
    }
    try {
      checker.check(path, after);
    } catch (IRCheckException e) {
      throw new PassException(path, "broke the graph: " + e.getMessage(), e);
    }
  }

  private static boolean holds(String path, Pass pass, IRDag dag, PassContext context) {
    try {
      return pass.condition().holds(dag, context);
    } catch (RuntimeException e) {
      throw new PassException(path, "failed while its condition was tested: " + e, e);
    }
  }

  private static String conditionReason(Pass pass) {
    return "only when " + pass.condition().description();
  }

  private static IRDag call(String path, Supplier<IRDag> apply) {
    return present(path, guarded(path, apply));
  }

  private static <T> T present(String path, T result) {
    if (result == null) {
      throw new PassException(
          path, "returned null. A pass with nothing to do returns the graph that it was given.");
    }
    return result;
  }

  private static <T> T guarded(String path, Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      throw new PassException(path, "failed: " + why, e);
    }
  }

  /** One run of a list of passes; not thread-safe. */
  private final class Run {

    private final PassContext context;
    private final List<OptimizationStep> steps = new ArrayList<>();
    private final Set<String> done = new HashSet<>();
    private final Set<String> skipped = new HashSet<>();
    private final Set<Class<? extends Property>> annotated = new HashSet<>();
    private IRDag dag;

    Run(PassContext context, IRDag dag) {
      this.context = context;
      this.dag = dag;
    }

    void all(String prefix, List<CompileTimePass> passes) {
      passes.forEach(pass -> one(prefix + "/" + pass.name(), pass));
    }

    /** A run-time pass whose preparation was skipped has nothing to wait for. */
    List<RunTimePass<?>> withoutSkipped(String prefix, List<RunTimePass<?>> passes) {
      List<RunTimePass<?>> live = new ArrayList<>();
      for (RunTimePass<?> pass : passes) {
        Optional<String> missing = skippedRequirement(pass);
        if (missing.isPresent()) {
          skip(prefix + "/" + pass.name(), pass, missing.get());
        } else {
          live.add(pass);
        }
      }
      return live;
    }

    private Optional<String> skippedRequirement(Pass pass) {
      return pass.requires().stream()
          .filter(required -> skipped.contains(required) && !done.contains(required))
          .sorted()
          .findFirst()
          .map(required -> "requires " + required + ", which was skipped");
    }

    private void one(String path, CompileTimePass pass) {
      Optional<String> missing = skippedRequirement(pass);
      if (missing.isPresent()) {
        skip(path, pass, missing.get());
        return;
      }
      if (!holds(path, pass, dag, context)) {
        skip(path, pass, conditionReason(pass));
        return;
      }
      if (pass instanceof CompositePass composite) {
        Set<String> before = new HashSet<>(done);
        before.addAll(skipped);
        all(path, PassOrder.order(composite.passes(), before));
      } else if (pass instanceof AnnotatingPass annotating) {
        annotate(path, annotating);
      } else if (pass instanceof ReshapingPass reshaping) {
        reshape(path, reshaping);
      }
      done.add(pass.name());
      done.add(pass.getClass().getName());
    }

    private void skip(String path, Pass pass, String reason) {
      skipped.addAll(PassOrder.provides(pass));
      steps.add(OptimizationStep.skipped(path, dag, reason));
    }

    private void annotate(String path, AnnotatingPass pass) {
      requireReadable(path, pass);
      IRDag result = call(path, () -> pass.apply(dag, context));
      EditAudit.requireDeclared(path, EditAudit.newEdits(path, dag, result), pass.annotates());
      annotated.addAll(pass.annotates());
      accept(path, result, () -> pass.notes(dag, context));
    }

    private void reshape(String path, ReshapingPass pass) {
      Reshaped reshaped = present(path, guarded(path, () -> pass.reshape(dag, context)));
      IRDag result = present(path, reshaped.dag());
      List<DagEdit> edits = EditAudit.newEdits(path, dag, result);
      EditAudit.requireOnlyOwnProperties(path, edits, dag);
      accept(path, result, reshaped::notes);
    }

    private void accept(String path, IRDag result, Supplier<List<String>> told) {
      check(path, dag, result);
      List<String> notes = guarded(path, told);
      OptimizationStep step = OptimizationStep.of(path, dag, result, notes);
      steps.add(step);
      dag = step.after();
    }

    private void requireReadable(String path, AnnotatingPass pass) {
      for (Class<? extends Property> type : pass.reads()) {
        if (!annotated.contains(type) && !isSetSomewhere(type)) {
          throw new PassException(
              path,
              "reads "
                  + type.getSimpleName()
                  + ", which no pass before it sets. Put a pass that does in front of it.");
        }
      }
    }

    private boolean isSetSomewhere(Class<? extends Property> type) {
      return dag.vertices().stream().anyMatch(v -> v.properties().asMap().containsKey(type))
          || dag.edges().stream().anyMatch(e -> e.properties().asMap().containsKey(type));
    }
  }
}
