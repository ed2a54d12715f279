// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.CutIntoSource;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.PushdownAdvisor;
import dev.anemone.passes.PushdownAdvisor.Advice;
import dev.anemone.passes.ReshapingPass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Cuts the first operators behind a source into the source, where the storage side may run them.
 * Which ones the option {@code pushdown} says, or else the policy. After Rachuri et al.,
 * <i>Optimizing Near-Data Processing for Spark</i>, with their names: without pushdown, full
 * pushdown (lambda-Flow), and what pays (Net-Aware).
 *
 * <pre>
 * before:  lineitem --> filter --> project --> rows --> count
 * after:   lineitem (pushed: filter, project) --> rows --> count
 * </pre>
 *
 * <p>A cut is a permission: for each split, the reader decides once more how many of these
 * operators the storage side runs, and runs the others itself. What is not cut never runs there.
 */
public final class StoragePushdownPass implements ReshapingPass {

  /** The option that says which. */
  static final String OPTION = "pushdown";

  static final String MEANING =
      "which operators the storage side may run; default: as the policy has it";

  /** Which operators are cut into a source. */
  public enum Pushdown {
    /** None. */
    NONE,
    /** The filters that come first. */
    FILTER,
    /** The filters and projections that come first. */
    PROJECT,
    /** All that can run there. */
    FULL,
    /**
     * As many as a {@link PushdownAdvisor} says, by what {@link PushdownCostPass} has found out.
     */
    NEAR_DATA
  }

  private final PassOption<Pushdown> option;

  /** Cuts what pays, unless the option says something else. */
  public StoragePushdownPass() {
    this(Pushdown.NEAR_DATA);
  }

  /** Cuts these, unless the option says something else. */
  public StoragePushdownPass(Pushdown otherwise) {
    this.option = PassOption.choice(OPTION, otherwise, MEANING);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(option);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SourceVertex source) {
        List<OperatorVertex> pushable = PushableOperators.of(dag, source);
        int count = advice(source, pushable, context).operators();
        for (OperatorVertex operator : pushable.subList(0, count)) {
          result = result.apply(new CutIntoSource(source.id(), operator.id()));
        }
      }
    }
    return result;
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    List<String> notes = new ArrayList<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SourceVertex source) {
        List<OperatorVertex> pushable = PushableOperators.of(dag, source);
        if (!pushable.isEmpty()) {
          Advice advice = advice(source, pushable, context);
          notes.add(
              source.id()
                  + ": "
                  + advice.operators()
                  + " of "
                  + pushable.size()
                  + " operators are cut into the source; "
                  + advice.reason());
          advice.numbers().forEach(line -> notes.add("  " + line));
        }
      }
    }
    return notes;
  }

  private Advice advice(SourceVertex source, List<OperatorVertex> pushable, PassContext context) {
    Pushdown pushdown = context.get(option);
    return switch (pushdown) {
      case NONE -> Advice.of(0, "pushdown=none");
      case FILTER -> first(pushable, pushdown, List.of(RelationalOperator.Filter.class));
      case PROJECT ->
          first(
              pushable,
              pushdown,
              List.of(RelationalOperator.Filter.class, RelationalOperator.Project.class));
      case FULL -> Advice.of(pushable.size(), "pushdown=full");
      case NEAR_DATA -> pushable.isEmpty() ? Advice.of(0, "") : advised(source, pushable);
    };
  }

  private static Advice advised(SourceVertex source, List<OperatorVertex> pushable) {
    Optional<PushdownCosts> costs = source.property(PushdownCosts.class);
    for (PushdownAdvisor advisor : ServiceLoader.load(PushdownAdvisor.class)) {
      if (costs.isPresent() && advisor.knows(source)) {
        Advice advice = advisor.advise(costs.get());
        return new Advice(
            Math.max(0, Math.min(pushable.size(), advice.operators())),
            advice.reason(),
            advice.numbers());
      }
    }
    return Advice.of(
        pushable.size(), "nothing is known of its costs, so its readers push all that they can");
  }

  private static Advice first(
      List<OperatorVertex> pushable,
      Pushdown pushdown,
      List<Class<? extends RelationalOperator>> kinds) {
    int count = 0;
    while (count < pushable.size() && isOne(pushable.get(count), kinds)) {
      count++;
    }
    return Advice.of(count, "pushdown=" + pushdown.name().toLowerCase(Locale.ROOT));
  }

  private static boolean isOne(
      OperatorVertex vertex, List<Class<? extends RelationalOperator>> kinds) {
    Optional<RelationalOperator> operator = RelationalFunctions.operatorOf(vertex.operator());
    for (Class<? extends RelationalOperator> kind : kinds) {
      if (operator.filter(kind::isInstance).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
