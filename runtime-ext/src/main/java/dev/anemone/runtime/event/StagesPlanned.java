// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The stages that a job runs in. Comes again when a stage's number of tasks has changed; the last
 * one counts.
 *
 * @param stages in the order in which data flows
 * @param links between stages
 */
public record StagesPlanned(long time, List<Stage> stages, List<StageLink> links)
    implements JobEvent {

  public StagesPlanned {
    stages = Absent.list(stages);
    links = Absent.list(links);
  }

  /**
   * The same stages at a later time, when some have other numbers of tasks than here.
   *
   * @param tasks by stage; what is 0 is not known yet
   * @return empty when they have not
   */
  public Optional<StagesPlanned> withTasks(Map<String, Integer> tasks, long later) {
    List<Stage> resized = stages.stream().map(stage -> stage.withTasks(tasks)).toList();
    return resized.equals(stages)
        ? Optional.empty()
        : Optional.of(new StagesPlanned(later, resized, links));
  }

  /**
   * The stage that reads an edge.
   *
   * @param edge an id, or those of all edges of a link, joined by {@code +}
   */
  public Optional<String> consumerOf(String edge) {
    return links.stream()
        .filter(link -> String.join("+", link.edges()).equals(edge))
        .map(StageLink::to)
        .findFirst();
  }

  /**
   * A stage.
   *
   * @param stage its id
   * @param name what its vertices do, for people
   * @param vertices ids of its vertices in the last plan
   * @param tasks how many tasks it has
   * @param operators what its vertices do, in their order; empty when nobody knows
   */
  public record Stage(
      String stage, String name, List<String> vertices, int tasks, List<String> operators) {

    public Stage {
      Objects.requireNonNull(stage, "stage");
      name = Absent.text(name);
      vertices = Absent.list(vertices);
      operators = Absent.list(operators);
    }

    private Stage withTasks(Map<String, Integer> numbers) {
      int number = numbers.getOrDefault(stage, 0);
      return number > 0 && number != tasks
          ? new Stage(stage, name, vertices, number, operators)
          : this;
    }
  }

  /**
   * What joins two stages.
   *
   * @param from id of the producing stage
   * @param to id of the consuming stage
   * @param edges ids of the edges of the last plan that go over it
   * @param pattern as the edges' communication pattern is printed
   * @param store where the data lies
   * @param flow whether it is pushed or pulled
   */
  public record StageLink(
      String from, String to, List<String> edges, String pattern, String store, String flow) {

    public StageLink {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      edges = Absent.list(edges);
      pattern = Absent.text(pattern);
      store = Absent.text(store);
      flow = Absent.text(flow);
    }
  }
}
