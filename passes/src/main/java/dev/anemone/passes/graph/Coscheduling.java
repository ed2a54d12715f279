// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.ScheduleGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;

/**
 * Finds out which vertices run at the same time. First come those that one-to-one edges fuse into a
 * stage; then a caller may join the ends of further edges. Two vertices are never put together when
 * one of them has to wait for the other to finish, or when they were given different groups.
 *
 * <p>Not thread-safe.
 */
public final class Coscheduling {

  private final IRDag dag;
  private final DisjointSets together = new DisjointSets();

  /** The vertices of each set, by the set's representative. */
  private final Map<String, List<String>> members = new HashMap<>();

  /** The control dependencies for which a vertex waits. */
  private final Map<String, List<ControlDependency>> controlledBy = new HashMap<>();

  /** The group that a vertex of a set was given, by the set's representative. */
  private final Map<String, ScheduleGroup> given = new HashMap<>();

  /** Puts together what one-to-one edges fuse. */
  public Coscheduling(IRDag dag) {
    this.dag = dag;
    for (ControlDependency dependency : dag.controlDependencies()) {
      controlledBy.computeIfAbsent(dependency.to(), to -> new ArrayList<>()).add(dependency);
    }
    for (IRVertex vertex : dag.vertices()) {
      members.put(vertex.id(), new ArrayList<>(List.of(vertex.id())));
      vertex.property(ScheduleGroup.class).ifPresent(group -> given.put(vertex.id(), group));
    }
    OneToOneGroups groups = OneToOneGroups.of(dag);
    Predicate<IREdge> direct = edge -> isDirect(edge, groups);
    dag.edges().stream().filter(direct).forEach(edge -> join(edge, direct));
  }

  private boolean isDirect(IREdge edge, OneToOneGroups groups) {
    // What a relay hands on one to one has been materialised, or the relay would be for nothing.
    return edge.pattern() == CommunicationPattern.ONE_TO_ONE
        && edge.property(DataStore.class).orElse(DataStore.MEMORY) == DataStore.MEMORY
        && edge.property(DataFlow.class).orElse(DataFlow.PULL) == DataFlow.PULL
        && !RelayChain.startsAtRelay(dag, edge)
        && groups.joined(edge);
  }

  /** Whether the ends of an edge run at the same time. */
  public boolean areTogether(IREdge edge) {
    return together.find(edge.from()).equals(together.find(edge.to()));
  }

  /**
   * Puts the ends of an edge together if that is possible, and with them what lies between them.
   *
   * @param joinable the edges over which a consumer need not wait for its producer to finish
   * @return whether they are together now
   */
  public boolean join(IREdge edge, Predicate<IREdge> joinable) {
    if (areTogether(edge)) {
      return true;
    }
    String producer = together.find(edge.from());
    String consumer = together.find(edge.to());
    List<Wait> waits = waitsOf(consumer);
    Set<String> between;
    if (waits.stream().allMatch(wait -> wait.from().equals(producer))) {
      // What lay between, the consumer would wait for as well.
      between = new LinkedHashSet<>(List.of(producer, consumer));
    } else {
      waits = waits();
      between = reachable(producer, waits, Wait::from, Wait::to);
      between.retainAll(reachable(consumer, waits, Wait::to, Wait::from));
    }
    if (mustWait(between, waits, joinable) || haveDifferentGroups(between)) {
      return false;
    }
    Optional<ScheduleGroup> group =
        between.stream().map(given::get).filter(Objects::nonNull).findFirst();
    between.forEach(set -> unite(producer, set));
    group.ifPresent(value -> given.put(together.find(producer), value));
    return true;
  }

  private void unite(String producer, String set) {
    if (!set.equals(producer)) {
      together.union(producer, set);
      members.get(producer).addAll(members.remove(set));
    }
  }

  /**
   * The edges over which producers can push: those wanted edges that were not told how their data
   * moves and whose ends can run at the same time, beside all that pushes already. Where two wanted
   * edges exclude each other, the earlier one in the graph is taken.
   */
  public static Set<String> pushable(IRDag dag, Predicate<IREdge> wanted) {
    Coscheduling coscheduling = new Coscheduling(dag);
    Predicate<IREdge> open = edge -> edge.property(DataFlow.class).isEmpty() && wanted.test(edge);
    Predicate<IREdge> joinable = open.or(Coscheduling::pushes);
    dag.edges().stream()
        .filter(Coscheduling::pushes)
        .forEach(edge -> coscheduling.join(edge, joinable));
    Set<String> pushable = new LinkedHashSet<>();
    for (IREdge edge : dag.edges()) {
      if (open.test(edge) && coscheduling.join(edge, joinable)) {
        pushable.add(edge.id());
      }
    }
    return pushable;
  }

  /** Whether an edge was told to push. */
  public static boolean pushes(IREdge edge) {
    return edge.property(DataFlow.class).filter(flow -> flow == DataFlow.PUSH).isPresent();
  }

  /**
   * One set waits for another one.
   *
   * @param from the set that goes first
   * @param to the set that waits
   * @param edge over which it does, empty for a control dependency
   */
  private record Wait(String from, String to, Optional<IREdge> edge) {}

  private List<Wait> waits() {
    List<Wait> waits = new ArrayList<>();
    dag.edges().forEach(edge -> waits.add(over(edge)));
    dag.controlDependencies().forEach(dependency -> waits.add(over(dependency)));
    waits.removeIf(wait -> wait.from().equals(wait.to()));
    return waits;
  }

  /** Those of {@link #waits()} in which a set waits for others. */
  private List<Wait> waitsOf(String set) {
    List<Wait> waits = new ArrayList<>();
    for (String vertexId : members.get(set)) {
      dag.incoming(vertexId).forEach(edge -> waits.add(over(edge)));
      controlledBy
          .getOrDefault(vertexId, List.of())
          .forEach(dependency -> waits.add(over(dependency)));
    }
    waits.removeIf(wait -> wait.from().equals(set));
    return waits;
  }

  private Wait over(IREdge edge) {
    return new Wait(together.find(edge.from()), together.find(edge.to()), Optional.of(edge));
  }

  private Wait over(ControlDependency dependency) {
    return new Wait(
        together.find(dependency.from()), together.find(dependency.to()), Optional.empty());
  }

  private static Set<String> reachable(
      String start, List<Wait> waits, Function<Wait, String> near, Function<Wait, String> far) {
    Map<String, List<String>> next = new HashMap<>();
    for (Wait wait : waits) {
      next.computeIfAbsent(near.apply(wait), key -> new ArrayList<>()).add(far.apply(wait));
    }
    Set<String> reached = new LinkedHashSet<>(Set.of(start));
    Deque<String> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      for (String set : next.getOrDefault(open.remove(), List.of())) {
        if (reached.add(set)) {
          open.add(set);
        }
      }
    }
    return reached;
  }

  /** Whether one of these sets waits for another one over anything but a joinable edge. */
  private static boolean mustWait(Set<String> sets, List<Wait> waits, Predicate<IREdge> joinable) {
    return waits.stream()
        .filter(wait -> sets.contains(wait.from()) && sets.contains(wait.to()))
        .anyMatch(wait -> wait.edge().filter(joinable).isEmpty());
  }

  private boolean haveDifferentGroups(Set<String> sets) {
    return sets.stream().map(given::get).filter(Objects::nonNull).distinct().count() > 1;
  }

  /**
   * A group for each vertex: that of its set, which comes after the groups of all sets that it
   * waits for.
   *
   * @throws IllegalArgumentException when a vertex was given a group that is too early
   */
  public Map<String, ScheduleGroup> groups() {
    Map<String, ScheduleGroup> result = new LinkedHashMap<>();
    levels(this::givenLevel).forEach((id, level) -> result.put(id, new ScheduleGroup(level)));
    return result;
  }

  /**
   * For each vertex how many others, at most, run one after the other before it can: what waits has
   * a higher number than that for which it waits, whatever groups were given.
   */
  public Map<String, Integer> depths() {
    return levels((set, level) -> level);
  }

  /** Whether all edges that push can do so: their ends can run at the same time. */
  public static boolean allCanPush(IRDag dag) {
    List<IREdge> pushing = dag.edges().stream().filter(Coscheduling::pushes).toList();
    if (pushing.isEmpty()) {
      return true;
    }
    Coscheduling coscheduling = new Coscheduling(dag);
    return pushing.stream().allMatch(edge -> coscheduling.join(edge, Coscheduling::pushes));
  }

  /**
   * A level for each vertex.
   *
   * @param chosen the level of a set, from its representative and the lowest level that it can have
   */
  private Map<String, Integer> levels(ToIntBiFunction<String, Integer> chosen) {
    Map<String, Set<String>> waitsFor = new LinkedHashMap<>();
    dag.vertices().forEach(v -> waitsFor.put(together.find(v.id()), new LinkedHashSet<>()));
    waits().forEach(wait -> waitsFor.get(wait.to()).add(wait.from()));
    Map<String, Integer> levels = new HashMap<>();
    while (levels.size() < waitsFor.size()) {
      int before = levels.size();
      waitsFor.forEach(
          (set, producers) -> {
            if (!levels.containsKey(set) && levels.keySet().containsAll(producers)) {
              int lowest = producers.stream().mapToInt(levels::get).max().orElse(-1) + 1;
              levels.put(set, chosen.applyAsInt(set, lowest));
            }
          });
      if (levels.size() == before) {
        throw new IllegalStateException("stages wait for each other: " + waitsFor);
      }
    }
    Map<String, Integer> ofVertices = new LinkedHashMap<>();
    dag.vertices().forEach(v -> ofVertices.put(v.id(), levels.get(together.find(v.id()))));
    return ofVertices;
  }

  private int givenLevel(String set, int level) {
    ScheduleGroup ownGroup = given.get(set);
    if (ownGroup == null) {
      return level;
    }
    if (ownGroup.group() < level) {
      throw new IllegalArgumentException(
          "a vertex that runs together with "
              + set
              + " was given schedule group "
              + ownGroup.group()
              + ", but waits for a vertex of group "
              + (level - 1)
              + ", so that its group must be at least "
              + level);
    }
    return ownGroup.group();
  }
}
