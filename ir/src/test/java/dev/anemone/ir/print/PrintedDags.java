// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.broadcast;
import static dev.anemone.ir.testing.SampleDags.source;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.DeleteInserted;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.ResourceSlot;
import java.util.List;
import java.util.Set;

/** The graphs of the golden files: every kind of vertex and of change. */
final class PrintedDags {

  private PrintedDags() {}

  /** Word count with a side input and a relay before it is written. */
  static IRDag before() {
    return annotatedWordCount().toBuilder()
        .add(source("stop", 1))
        .add(broadcast("stopwords", "stop", "split"))
        .build()
        .apply(new InsertRelay(List.of("counts"), "relay", "OldPass"));
  }

  /** Without the relay, but with combiners, sampling and other properties. */
  static IRDag after() {
    return before()
        .apply(new DeleteInserted("relay"))
        .apply(new InsertCombiner("count", "CombinerPass"))
        .apply(
            InsertSampling.of(
                "words", Set.of("split", "count-combiner-0"), List.of(1), "sizes", "SkewPass"))
        .apply(new SetVertexProperty("count", new AntiAffinity(Set.of(0, 1))))
        .apply(new SetVertexProperty("count", new ResourceSlot(2048, 0, 2)))
        .apply(new SetVertexProperty("write", new Parallelism(8)))
        .apply(new SetVertexProperty("stop", new ClonedScheduling(1.5, 0.25)))
        .apply(new SetEdgeProperty("words", DataStore.REMOTE_MEMORY))
        .apply(
            new SetEdgeProperty(
                "words",
                new PartitionSet(
                    List.of(
                        List.of(new HashRange(0, 1)),
                        List.of(new HashRange(1, 5), new HashRange(6, 7)),
                        List.of(new HashRange(5, 6)),
                        List.of(new HashRange(7, 8))))));
  }
}
