// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Cuts a query into fragments, with an exchange wherever rows that an operator needs together are
 * not in one task.
 *
 * <pre>
 * before:  aggregate by o_date: sum(l_price)
 *            inner join by o_key = l_order
 *              input orders
 *              input lines
 * after:   x0 = hash(o_key) of orders
 *          x1 = hash(l_order) of lines
 *          x2 = hash(o_date) of aggregate partial by o_date: sum(l_price) {inner join ... {x0; x1}}
 *          result = aggregate final by o_date: sum(l_price) {x2}
 * </pre>
 *
 * <p>Rows that are where an operator needs them are not exchanged again: an aggregate of what was
 * joined by its keys, or a second join by the same keys, belongs to the fragment of the join. An
 * aggregate that has halves is exchanged between them, and so is an order of which only the first
 * rows are wanted. A small side of a join goes to the tasks where the other one is, {@link
 * JoinFragments}. What a plan for splits cannot say is done in the task that has read them.
 */
public final class Fragmenter {

  private final Fragments fragments = new Fragments();
  private final JoinFragments joins;
  private final Set<String> collections;

  private Fragmenter(SideSizes sizes, Set<String> collections) {
    this.joins = new JoinFragments(fragments, sizes);
    this.collections = Set.copyOf(collections);
  }

  /**
   * The fragments of a query.
   *
   * @param query whose inputs are tables, or rows that other tasks make
   * @param sizes of sides of the query's joins
   * @param collections the inputs whose rows other tasks make
   */
  public static DistributedQuery of(
      RelationalQuery query, SideSizes sizes, Set<String> collections) {
    Fragmenter fragmenter = new Fragmenter(sizes, collections);
    return fragmenter.fragments.withResult(fragmenter.parts(query.root()));
  }

  private List<Part> parts(Relation relation) {
    if (relation instanceof Relation.Input input) {
      return List.of(
          new Part(
              relation,
              collections.contains(input.name())
                  ? new Distribution.Pieces()
                  : new Distribution.Splits()));
    } else if (relation instanceof Relation.Values) {
      return List.of(new Part(relation, new Distribution.Single()));
    } else if (relation instanceof Relation.Step step) {
      return step(step);
    } else if (relation instanceof Relation.Grouped grouped) {
      Part input = together(parts(grouped.input()), common(grouped.sets()));
      return List.of(
          new Part(
              new Relation.Grouped(
                  input.relation(),
                  grouped.keys(),
                  grouped.sets(),
                  grouped.calls(),
                  grouped.levels(),
                  grouped.statistics()),
              named(input.distribution(), common(grouped.sets()))));
    } else if (relation instanceof Relation.Windowed windowed) {
      Part input =
          together(
              parts(windowed.input()),
              common(windowed.calls().stream().map(Relation.WindowCall::partition).toList()));
      return List.of(
          new Part(
              new Relation.Windowed(input.relation(), windowed.calls()), input.distribution()));
    } else if (relation instanceof Relation.Join join) {
      return List.of(joins.of(join, parts(join.left()), parts(join.right())));
    } else if (relation instanceof Relation.Top top) {
      return List.of(top(top));
    } else if (relation instanceof Relation.Union union) {
      return union(union);
    }
    throw new IllegalStateException("no relation: " + relation);
  }

  private List<Part> step(Relation.Step step) {
    List<Part> inputs = parts(step.input());
    if (step.operator() instanceof Aggregate aggregate) {
      return List.of(aggregate(aggregate, inputs));
    }
    List<Part> parts = new ArrayList<>();
    for (Part input : inputs) {
      Part whole =
          input.isInSplits() && !ScanPlan.allows(step.operator())
              ? fragments.inPieces(input)
              : input;
      Distribution distribution =
          step.operator() instanceof Project project
              ? projected(whole.distribution(), project)
              : whole.distribution();
      parts.add(new Part(Relation.Step.of(step.operator(), whole.relation()), distribution));
    }
    return parts;
  }

  private Part aggregate(Aggregate aggregate, List<Part> inputs) {
    boolean hasHalves =
        aggregate.calls().stream()
            .noneMatch(call -> call.function() == AggregateFunction.SINGLE_VALUE);
    if (isTogether(inputs, aggregate.groupBy()) || !hasHalves) {
      Part input = together(inputs, aggregate.groupBy());
      return new Part(
          Relation.Step.of(aggregate, input.relation()),
          named(input.distribution(), aggregate.groupBy()));
    }
    List<Part> partial = new ArrayList<>();
    for (Part input : inputs) {
      partial.add(
          new Part(
              Relation.Step.of(aggregate.partialHalf(), input.relation()), input.distribution()));
    }
    Part states = together(partial, aggregate.groupBy());
    return new Part(
        Relation.Step.of(aggregate.finalHalf(), states.relation()), states.distribution());
  }

  private Part top(Relation.Top top) {
    List<Part> inputs = parts(top.input());
    if (top.count().isPresent() && !isTogether(inputs, List.of())) {
      OptionalLong count = OptionalLong.of(Math.addExact(top.count().getAsLong(), top.offset()));
      List<Part> first = new ArrayList<>();
      for (Part input : inputs) {
        Part whole = fragments.inPieces(input);
        first.add(
            new Part(
                new Relation.Top(whole.relation(), top.keys(), count, 0), whole.distribution()));
      }
      inputs = first;
    }
    Part all = together(inputs, List.of());
    return new Part(
        new Relation.Top(all.relation(), top.keys(), top.count(), top.offset()),
        all.distribution());
  }

  /** The parts of all inputs, whose columns get the names of the first. */
  private List<Part> union(Relation.Union union) {
    List<Field> names = union.row().fields();
    List<Part> parts = new ArrayList<>();
    for (Relation input : union.inputs()) {
      for (Part part : parts(input)) {
        List<NamedExpression> columns = new ArrayList<>();
        for (Field field : part.relation().row().fields()) {
          columns.add(
              new NamedExpression(
                  names.get(columns.size()).name(), new Expression.Column(field.name())));
        }
        Project project = new Project(columns);
        parts.add(
            new Part(
                Relation.Step.of(project, part.relation()),
                projected(part.distribution(), project)));
      }
    }
    return parts;
  }

  private static boolean isTogether(List<Part> parts, List<String> keys) {
    if (parts.size() > 1) {
      return false;
    }
    Part part = parts.get(0);
    return part.isSingle()
        || (part.distribution() instanceof Distribution.Hashed hashed
            && hashed.bringsTogether(keys));
  }

  /** The rows of parts, those that are equal in some columns in one task. */
  private Part together(List<Part> parts, List<String> keys) {
    if (isTogether(parts, keys)) {
      return parts.get(0);
    }
    return keys.isEmpty()
        ? new Part(fragments.exchange(parts, new Partitioning.Gather()), new Distribution.Single())
        : new Part(
            fragments.exchange(parts, new Partitioning.Hash(keys)), Distribution.Hashed.by(keys));
  }

  /** The columns that are in all lists. */
  private static List<String> common(List<List<String>> lists) {
    List<String> common = new ArrayList<>(lists.get(0));
    lists.forEach(common::retainAll);
    return common;
  }

  /** What is left of a distribution where only some columns are. */
  private static Distribution named(Distribution distribution, List<String> columns) {
    return renamed(distribution, column -> columns.contains(column) ? List.of(column) : List.of());
  }

  private static Distribution projected(Distribution distribution, Project project) {
    return renamed(
        distribution,
        column ->
            project.columns().stream()
                .filter(made -> made.expression().equals(new Expression.Column(column)))
                .map(NamedExpression::name)
                .toList());
  }

  private static Distribution renamed(
      Distribution distribution, Function<String, Collection<String>> names) {
    if (!(distribution instanceof Distribution.Hashed hashed)) {
      return distribution;
    }
    Optional<Distribution.Hashed> renamed = hashed.renamed(names);
    return renamed.isPresent() ? renamed.get() : new Distribution.Arbitrary();
  }
}
