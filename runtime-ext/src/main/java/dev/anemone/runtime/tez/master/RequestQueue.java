// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;

/**
 * Task attempts that wait for a slot, in {@linkplain #ORDER order}. Each vertex has a line of its
 * own, and what decides who is next is asked once of each line: adding, finding and removing take
 * time with the number of vertices, and the logarithm of that of attempts. Not thread-safe.
 */
final class RequestQueue {

  /**
   * A task attempt that waits for a slot.
   *
   * @param attempt the attempt
   * @param distance of its vertex from the sources of the graph
   * @param number counts requests
   */
  record Request(TezTaskAttemptID attempt, int distance, long number) {

    TezVertexID vertex() {
      return attempt.getVertexID();
    }

    TezTaskID task() {
      return attempt.getTaskID();
    }
  }

  /** Those nearest to the sources first, and of these who asked first. */
  static final Comparator<Request> ORDER =
      Comparator.comparingInt(Request::distance).thenComparingLong(Request::number);

  private final Lines all = new Lines();
  private final Lines overtaking = new Lines();
  private final Map<TezTaskID, Set<Request>> byTask = new HashMap<>();

  /** Requests by vertex, of which the first ones are in a line again. */
  private static final class Lines {

    private final Map<TezVertexID, NavigableSet<Request>> lines = new HashMap<>();
    private final NavigableSet<Request> heads = new TreeSet<>(ORDER);

    void add(Request request) {
      change(request, line -> line.add(request));
    }

    void remove(Request request) {
      change(request, line -> line.remove(request));
    }

    private void change(Request request, Consumer<NavigableSet<Request>> change) {
      TezVertexID vertex = request.vertex();
      NavigableSet<Request> line = lines.computeIfAbsent(vertex, k -> new TreeSet<>(ORDER));
      if (!line.isEmpty()) {
        heads.remove(line.first());
      }
      change.accept(line);
      if (line.isEmpty()) {
        lines.remove(vertex);
      } else {
        heads.add(line.first());
      }
    }

    Optional<Request> first(Predicate<TezVertexID> vertices) {
      return heads.stream().filter(request -> vertices.test(request.vertex())).findFirst();
    }
  }

  /**
   * Adds a request.
   *
   * @param overtakes whether an attempt of the task runs
   */
  void add(Request request, boolean overtakes) {
    byTask.computeIfAbsent(request.task(), k -> new HashSet<>()).add(request);
    all.add(request);
    if (overtakes) {
      overtaking.add(request);
    }
  }

  void remove(Request request) {
    all.remove(request);
    overtaking.remove(request);
    byTask.computeIfPresent(
        request.task(),
        (task, requests) -> requests.remove(request) && requests.isEmpty() ? null : requests);
  }

  /** Takes away the request of an attempt, if it waits here. */
  void remove(TezTaskAttemptID id) {
    ofTask(id.getTaskID()).stream()
        .filter(request -> request.attempt().equals(id))
        .forEach(this::remove);
  }

  private List<Request> ofTask(TezTaskID task) {
    return List.copyOf(byTask.getOrDefault(task, Set.of()));
  }

  /** Notes that an attempt of a task runs now: others that wait would overtake it. */
  void runs(TezTaskID task) {
    ofTask(task).forEach(overtaking::add);
  }

  /** Notes that no attempt of a task runs any more. */
  void runsNoMore(TezTaskID task) {
    ofTask(task).forEach(overtaking::remove);
  }

  boolean isEmpty() {
    return byTask.isEmpty();
  }

  /** The first request. */
  Optional<Request> first() {
    return first(vertex -> true);
  }

  /** The first request of certain vertices. */
  Optional<Request> first(Predicate<TezVertexID> vertices) {
    return all.first(vertices);
  }

  /** The first request of certain vertices that is the second attempt of a task that runs. */
  Optional<Request> firstOvertaking(Predicate<TezVertexID> vertices) {
    return overtaking.first(vertices);
  }
}
