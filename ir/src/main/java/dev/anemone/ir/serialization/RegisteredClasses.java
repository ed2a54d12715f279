// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers.EnumSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.OptionalSerializers.OptionalSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.RecordSerializer;
import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.message.TaskTimes;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.ir.property.SplitAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The classes that every {@link PlanSerializer} knows. Their ids follow from their order. */
final class RegisteredClasses {

  private static final int FIRST_ID = 100;

  private static final List<Class<?>> RECORDS_AND_ENUMS =
      List.of(
          SourceVertex.class,
          SourcePart.class,
          OperatorVertex.class,
          OperatorTrait.class,
          CombineSplit.class,
          CombinerVertex.class,
          RelayVertex.class,
          SampledVertex.class,
          MetricCollectionVertex.class,
          MetricAggregationVertex.class,
          IREdge.class,
          ControlDependency.class,
          Parallelism.class,
          SplitAssignment.class,
          ResourceSlot.class,
          ResourcePriority.class,
          ResourceLocality.class,
          ResourceSite.class,
          AntiAffinity.class,
          ClonedScheduling.class,
          ScheduleGroup.class,
          CommunicationPattern.class,
          DataFlow.class,
          DataStore.class,
          DataPersistence.class,
          Partitioner.Hash.class,
          Partitioner.Spread.class,
          PartitionSet.class,
          HashRange.class,
          Encoder.class,
          Decoder.class,
          Compression.class,
          Decompression.class,
          KeyExtractor.class,
          KeyEncoder.class,
          Order.class,
          TaskTimes.class,
          PartitionDivision.class,
          Divisibility.class,
          ShuffleSizes.class,
          ShuffleSizes.Shuffle.class,
          SharedOutput.class,
          SpillStore.class,
          PushdownCosts.class,
          PushdownCosts.Operator.class,
          NativeMemory.class,
          PushdownCosts.Splits.class,
          PushdownCosts.Storage.class,
          PushdownCosts.Compute.class,
          Partitioner.RoundRobin.class,
          Parallelism.Coalescing.class,
          KeyFilters.class,
          KeyFilters.KeyFilter.class,
          Divisibility.Measured.class);

  private RegisteredClasses() {}

  static void register(Kryo kryo) {
    int id = FIRST_ID;
    for (Registered registered : all()) {
      kryo.register(registered.type(), registered.serializer(), id++);
    }
  }

  /**
   * Finds out whether another module has taken an id of this one.
   *
   * @throws IllegalArgumentException when it has
   */
  static void verify(Kryo kryo) {
    int id = FIRST_ID;
    for (Registered registered : all()) {
      Class<?> found = kryo.getRegistration(id).getType();
      if (!found.equals(registered.type())) {
        throw new IllegalArgumentException(
            "class id "
                + id
                + " was registered for "
                + found.getName()
                + ", but belongs to "
                + registered.type().getName()
                + "; other modules have the ids from "
                + PlanSerializer.FIRST_FREE_ID
                + " on");
      }
      id++;
    }
  }

  private record Registered(Class<?> type, Serializer<?> serializer) {}

  private static List<Registered> all() {
    List<Registered> all = new ArrayList<>();
    all.add(new Registered(List.class, new CollectionSerializers.OfList()));
    all.add(new Registered(Set.class, new CollectionSerializers.OfSet()));
    all.add(new Registered(Map.class, new CollectionSerializers.OfMap()));
    all.add(new Registered(Optional.class, new OptionalSerializer()));
    all.add(new Registered(FunctionSpec.class, new FunctionSpecSerializer()));
    all.add(new Registered(ExecutionProperties.class, new ExecutionPropertiesSerializer()));
    all.add(new Registered(IRDag.class, new IRDagSerializer()));
    all.add(new Registered(SizeHistogram.class, new SizeHistogramSerializer()));
    for (Class<?> type : RECORDS_AND_ENUMS) {
      all.add(
          new Registered(
              type, type.isEnum() ? enumSerializer(type) : new RecordSerializer<>(type)));
    }
    return all;
  }

  private static Serializer<?> enumSerializer(Class<?> type) {
    return new EnumSerializer(type.asSubclass(Enum.class));
  }
}
