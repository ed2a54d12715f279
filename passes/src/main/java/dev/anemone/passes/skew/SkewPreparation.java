// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.edit.SampledStage;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.passes.graph.Coscheduling;
import dev.anemone.passes.graph.GroupWaits;
import dev.anemone.passes.graph.RelayChain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds out which shuffles can be measured while the job runs, and puts their samplings into the
 * graph. Decides consumer by consumer in topological order, so that equal graphs get equal
 * samplings. Not thread-safe.
 */
final class SkewPreparation {

  private final String pass;
  private final IRDag program;

  /** What is said of each shuffle, by its id. */
  private final Map<String, String> said = new LinkedHashMap<>();

  private IRDag dag;

  private SkewPreparation(IRDag program, String pass) {
    this.program = program;
    this.pass = pass;
    this.dag = program;
  }

  /**
   * Prepares a graph.
   *
   * @param program every vertex has a {@link dev.anemone.ir.property.Parallelism}
   * @param pass the pass that inserts the samplings
   * @param sampling picks the tasks of a stage that are sampled
   */
  static SkewPreparation of(IRDag program, String pass, SampleTasks sampling) {
    SkewPreparation preparation = new SkewPreparation(program, pass);
    preparation.prepare(sampling);
    return preparation;
  }

  /** The graph with its samplings; the graph that was given when there is none to put in. */
  IRDag result() {
    return dag;
  }

  /** For each shuffle of the program how it is sampled, or why it is not. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (IREdge edge : program.edges()) {
      if (edge.pattern() == CommunicationPattern.SHUFFLE
          && KeyedConsumer.isOfProgram(program, program.vertex(edge.to()))) {
        String what =
            said.getOrDefault(edge.id(), "is not sampled: it only spreads the load, by no key");
        notes.add("shuffle " + edge.id() + " (" + edge.from() + " to " + edge.to() + ") " + what);
      }
    }
    return notes;
  }

  private void prepare(SampleTasks sampling) {
    List<KeyedConsumer> consumers = KeyedConsumer.all(program);
    if (consumers.isEmpty()) {
      return;
    }
    Map<KeyedConsumer, DivisionForecast> measurable = new LinkedHashMap<>();
    KeyedConsumer.Obstacles all = new KeyedConsumer.Obstacles(program);
    for (KeyedConsumer consumer : consumers) {
      Map<String, String> obstacles = all.of(consumer);
      if (obstacles.isEmpty()) {
        measurable.put(consumer, DivisionForecast.of(program, consumer));
      } else {
        decline(consumer, obstacles);
      }
    }
    // Before any vertex is cloned, so that clones read recombiners as their originals do.
    for (DivisionForecast forecast : measurable.values()) {
      if (!forecast.recombiner().isEmpty()) {
        dag = dag.apply(new InsertRecombiner(forecast.recombiner(), pass));
      }
    }
    SampledProducers producers = new SampledProducers(dag, sampling);
    measurable.forEach((consumer, forecast) -> sample(consumer, forecast, producers));
  }

  private void decline(KeyedConsumer consumer, Map<String, String> obstacles) {
    String first = obstacles.keySet().iterator().next();
    for (IREdge edge : consumer.shuffles()) {
      String reason =
          obstacles.getOrDefault(
              edge.id(),
              "its stage also reads " + first + ", which cannot be: " + obstacles.get(first));
      said.put(edge.id(), "is not sampled: " + reason);
    }
  }

  private void sample(
      KeyedConsumer consumer, DivisionForecast forecast, SampledProducers producers) {
    List<IREdge> written = consumer.written(program);
    Set<String> writers = new LinkedHashSet<>();
    written.forEach(edge -> writers.add(edge.from()));
    GroupWaits waits = GroupWaits.of(dag);
    if (writers.stream().map(dag::vertex).anyMatch(w -> waits.waits(w, consumer.vertices()))) {
      consumer
          .shuffles()
          .forEach(
              edge ->
                  said.put(
                      edge.id(),
                      "is not sampled: its producer waits for a message that waits for its consumer"));
      return;
    }
    List<SampledStage> stages = producers.of(writers);
    List<String> edges = written.stream().map(IREdge::id).distinct().toList();
    String message = message(consumer.shuffles().get(0).to());
    IRDag sampled = dag.apply(new InsertSampling(edges, stages, message, pass));
    boolean pushes = Coscheduling.allCanPush(sampled);
    if (!pushes) {
      stages = stages.stream().map(s -> new SampledStage(s.vertices(), s.sample(), false)).toList();
      sampled = dag.apply(new InsertSampling(edges, stages, message, pass));
    }
    dag = sampled;
    for (IREdge edge : consumer.shuffles()) {
      String writer = RelayChain.first(program, edge).from();
      said.put(
          edge.id(),
          "is sampled: "
              + tasks(writer, stages, pushes, producers, writers)
              + "; a hot key "
              + forecast.note());
    }
  }

  /** The id of a message, after the vertex that it is for. */
  private String message(String vertexId) {
    String message = vertexId + "-sizes";
    for (int number = 1; dag.hasVertex(message + "-aggregation"); number++) {
      message = vertexId + "-sizes-" + number;
    }
    return message;
  }

  private String tasks(
      String writer,
      List<SampledStage> stages,
      boolean pushes,
      SampledProducers producers,
      Set<String> writers) {
    int tasks = KeyedConsumer.tasks(dag.vertex(writer));
    SampledStage stage =
        stages.stream().filter(s -> s.vertices().contains(writer)).findFirst().orElseThrow();
    if (stage.sample().size() == tasks) {
      return tasks == 1
          ? "its only producer task is measured, nothing waits"
          : "all " + tasks + " producer tasks are measured, nothing waits";
    }
    String sampled = "producer tasks " + stage.sample() + " of " + tasks + " run first, ";
    if (stage.held()) {
      return sampled + "the others wait for the ranges";
    }
    String others = sampled + "the others do not wait, since ";
    if (producers.depth(writer) < producers.deepest(writers)) {
      return others + "another shuffle into the stage comes later";
    }
    return pushes
        ? others + "their " + ScheduleGroup.class.getSimpleName() + " was given"
        : others + "they run beside what would have to run first";
  }
}
