// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.InvalidJobException;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.Stage;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.TaskLocationHint;
import org.apache.tez.dag.api.TezConfiguration;

/**
 * Decides where the tasks of stages run, and in what containers. A task gets an executor whole: its
 * container has the size of the executors of the stage's kind. Immutable and thread-safe.
 *
 * <p>To Tez and YARN hosts are wishes. What must be kept, that a RESERVED task never runs on a host
 * of transient executors, {@link PlacedTaskScheduler} sees to.
 */
public final class Placement {

  private static final ResourceSlot ANY_SIZE = new ResourceSlot(0, 0, 0);

  private final Executors executors;

  private Placement(Executors executors) {
    this.executors = executors;
  }

  /**
   * The placement of a deployment. In this JVM all executors are alike.
   *
   * @throws IllegalArgumentException when the hosts of transient and reserved executors overlap
   */
  public static Placement of(Deployment deployment) {
    return new Placement(
        new Executors(deployment instanceof Deployment.Yarn yarn ? yarn.executors() : List.of()));
  }

  /**
   * Checks before a job starts that there are executors for every vertex.
   *
   * @throws InvalidJobException naming a vertex and the kind of executors that it has not
   */
  public void validate(IRDag dag) {
    dag.vertices().forEach(this::choose);
  }

  /**
   * Checks before a job starts that the cluster has the hosts of the executors, of each group at
   * least one.
   *
   * @param running the hosts that can run containers, by the names that YARN has for them
   * @throws IllegalArgumentException naming the hosts that are not there, and those that are
   */
  public void requireHosts(Set<String> running) {
    executors.requireHosts(running);
  }

  /**
   * What a stage asks for.
   *
   * @throws InvalidJobException as {@link #validate} does
   */
  public StagePlacement of(Stage stage) {
    Optional<Executors.Choice> choice = choose(first(stage));
    VertexHosts hosts = hosts(choice);
    return new StagePlacement(
        choice
            .map(chosen -> Resource.newInstance(chosen.memoryMb(), chosen.cores()))
            .or(() -> ownContainer(stage)),
        TaskHosts.of(stage, hosts.hosts()).stream()
            .map(preferred -> TaskLocationHint.createTaskLocationHint(preferred, null))
            .toList(),
        hosts.settings(),
        choice.flatMap(Executors.Choice::count));
  }

  /**
   * The stage whose tasks a stage follows to their containers, since it has no {@link
   * ResourceSite}, and reads no source near which it could go but what they made, one to one. It
   * does not follow tasks that run where its own may not.
   *
   * @param plans all plans of the job
   */
  public Optional<String> near(StagePlan plan, List<StagePlan> plans) {
    return followed(plan, plans, Transfer.ONE_TO_ONE).findFirst();
  }

  /**
   * The stages whose tasks a stage may follow that it reads by key, if it turns out that each of
   * its tasks reads all of what some of theirs wrote: none where its ranges are not drawn while the
   * job runs, and else as {@link #near} says.
   *
   * @param plans all plans of the job
   */
  public Set<String> nearby(StagePlan plan, List<StagePlan> plans) {
    return plan.redrawing().isEmpty()
        ? Set.of()
        : followed(plan, plans, Transfer.GROUPED).collect(Collectors.toUnmodifiableSet());
  }

  private Stream<String> followed(StagePlan plan, List<StagePlan> plans, Transfer transfer) {
    Stage stage = plan.stage();
    VertexHosts hosts = hosts(choose(first(stage)));
    if (!TaskHosts.isNearData(stage)
        || first(stage).property(ResourceSite.class).isPresent()
        || !TaskHosts.ofAllTasks(stage, hosts.hosts()).isEmpty()) {
      return Stream.empty();
    }
    return plan.inputs().stream()
        .filter(link -> link.transfer() == transfer)
        .map(Link::peer)
        .filter(peer -> hosts.covers(hosts(choose(first(stage(peer, plans))))));
  }

  private static Stage stage(String name, List<StagePlan> plans) {
    return plans.stream()
        .map(StagePlan::stage)
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no plan of stage " + name));
  }

  private Optional<Executors.Choice> choose(IRVertex vertex) {
    return executors.choose(
        vertex.id() + " (" + vertex.name() + ")",
        vertex.property(ResourcePriority.class).orElse(ResourcePriority.NONE),
        vertex.property(ResourceSlot.class).orElse(ANY_SIZE));
  }

  private static VertexHosts hosts(Optional<Executors.Choice> choice) {
    return choice
        .map(chosen -> new VertexHosts(chosen.hosts(), chosen.bound()))
        .orElseGet(() -> new VertexHosts(List.of(), false));
  }

  /** Where no executors were described, a task gets what its slot asks for. */
  private static Optional<Resource> ownContainer(Stage stage) {
    return first(stage)
        .property(ResourceSlot.class)
        .filter(slot -> slot.memoryMb() > 0 || slot.cores() > 0)
        .map(
            slot ->
                Resource.newInstance(
                    slot.memoryMb() > 0
                        ? slot.memoryMb()
                        : TezConfiguration.TEZ_TASK_RESOURCE_MEMORY_MB_DEFAULT,
                    Math.max(1, slot.cores())));
  }

  /** Vertices of one stage agree in what concerns placement. */
  private static IRVertex first(Stage stage) {
    return stage.vertices().get(0);
  }
}
