// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.dag;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.runtime.engine.InvalidJobException;
import dev.anemone.runtime.stage.Sampling;
import dev.anemone.runtime.stage.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds out before a job starts whether the engine can run it. */
public final class JobValidator {

  private JobValidator() {}

  /**
   * Checks that every property is there that lowering needs, and that none asks for what this
   * engine cannot do.
   *
   * @param stores where data can be kept
   * @throws InvalidJobException naming the vertex or edge
   */
  public static void validate(IRDag dag, Set<DataStore> stores) {
    if (dag.vertices().isEmpty()) {
      throw new InvalidJobException("the pipeline is empty; it needs at least one source");
    }
    for (IRVertex vertex : dag.vertices()) {
      String what = "vertex " + vertex.id() + " (" + vertex.name() + ")";
      if (!(vertex instanceof SourceVertex
          || vertex instanceof OperatorVertex
          || vertex instanceof CombinerVertex
          || vertex instanceof RelayVertex
          || vertex instanceof SampledVertex
          || vertex instanceof MetricCollectionVertex
          || vertex instanceof MetricAggregationVertex)) {
        throw new InvalidJobException(
            what + " was put in by a pass that this engine does not run; use a policy without it");
      }
      if (vertex.property(Parallelism.class).isEmpty()) {
        throw new InvalidJobException(
            what + " has no Parallelism; add ParallelismPass to the policy");
      }
    }
    for (ControlDependency dependency : dag.controlDependencies()) {
      if (!(dag.vertex(dependency.from()) instanceof MetricAggregationVertex)) {
        throw new InvalidJobException(
            "vertex "
                + dependency.to()
                + " waits for vertex "
                + dependency.from()
                + ", which is no metric aggregation; only what these find out can be waited for");
      }
    }
    requireMeasurable(dag);
    for (IREdge edge : Sampling.originals(dag).edges()) {
      validate(edge, stores);
    }
  }

  /** What is sampled has to be a task of its own, and what is measured a shuffle by key. */
  private static void requireMeasurable(IRDag dag) {
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex clone
          && dag.vertex(clone.original()) instanceof RelayVertex) {
        throw new InvalidJobException(
            "vertex "
                + clone.id()
                + " samples relay "
                + clone.original()
                + "; sample the stage before the relay");
      }
      if (vertex instanceof MetricCollectionVertex collection) {
        IREdge measured = dag.edge(collection.measured());
        if (Transfer.of(measured) != Transfer.GROUPED) {
          throw new InvalidJobException(
              "vertex "
                  + collection.id()
                  + " measures edge "
                  + measured.id()
                  + ", which does not group by key; only shuffles BY_KEY can be measured");
        }
      }
    }
  }

  private static void validate(IREdge edge, Set<DataStore> stores) {
    String what = "edge " + edge.id() + " from " + edge.from() + " to " + edge.to();
    List<Class<? extends EdgeProperty>> needed =
        new ArrayList<>(List.of(Encoder.class, Decoder.class));
    if (Transfer.of(edge) == Transfer.GROUPED) {
      needed.addAll(List.of(KeyExtractor.class, KeyEncoder.class, PartitionSet.class));
    }
    for (Class<? extends EdgeProperty> property : needed) {
      if (edge.property(property).isEmpty()) {
        throw new InvalidJobException(what + " has no " + property.getSimpleName());
      }
    }
    requireStore(what, " is to be kept in ", edge.property(DataStore.class), stores);
    requireStore(
        what, " is to spill into ", edge.property(SpillStore.class).map(SpillStore::store), stores);
  }

  private static void requireStore(
      String what, String use, Optional<DataStore> wanted, Set<DataStore> stores) {
    DataStore store = wanted.orElse(DataStore.LOCAL_FILE);
    if (!stores.contains(store)) {
      throw new InvalidJobException(what + use + store + ", which is not there: " + remedy(store));
    }
  }

  private static String remedy(DataStore store) {
    return switch (store) {
      case REMOTE_MEMORY -> "name the servers of a pool, such as --memoryPool=host:7070";
      case PERSISTENT_MEMORY -> "give --persistentMemory=directory and --persistentMemoryMb";
      case LOCAL_FILE, MEMORY, SHARED_FILE_SYSTEM -> "LOCAL_FILE works";
    };
  }
}
