// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import org.junit.jupiter.api.Test;

class TaskNativeMemoryTest {

  private static final IRDag DAG =
      new TestDags()
          .source("first", "a", "b")
          .source("second", "c", "d")
          .operator("one", TestFunctions.COLLECT, 2)
          .operator("other", TestFunctions.COLLECT, 2)
          .oneToOne("first", "one")
          .oneToOne("second", "other")
          .build();

  @Test
  void aGraphThatSaysNothingNeedsNone() {
    assertThat(TaskNativeMemory.boundOf(DAG)).isZero();
  }

  @Test
  void sourcesAreReadOneAfterTheOther() {
    assertThat(TaskNativeMemory.boundOf(with(with(DAG, "first", 5), "second", 7))).isEqualTo(7);
  }

  @Test
  void operatorsOfATaskRunAtTheSameTime() {
    IRDag chain =
        new TestDags()
            .source("first", "a", "b")
            .operator("one", TestFunctions.COLLECT, 2)
            .operator("other", TestFunctions.COLLECT, 2)
            .oneToOne("first", "one")
            .oneToOne("one", "other")
            .build();
    IRDag operators = with(with(chain, "one", 10), "other", 20);

    assertThat(TaskNativeMemory.boundOf(operators)).isEqualTo(30);
    assertThat(TaskNativeMemory.boundOf(with(operators, "first", 5))).isEqualTo(35);
  }

  @Test
  void whatIsNotReadOneToOneIsNotInTheSameTask() {
    IRDag operators = with(with(with(DAG, "one", 10), "other", 20), "first", 15);

    assertThat(TaskNativeMemory.boundOf(operators)).isEqualTo(25);
  }

  @Test
  void sourcesThatReadTheSameMayBecomeOne() {
    IRDag twice =
        new TestDags()
            .source("first", "a", "b")
            .source("second", "a", "b")
            .operator("one", TestFunctions.COLLECT, 2)
            .operator("other", TestFunctions.COLLECT, 2)
            .oneToOne("first", "one")
            .oneToOne("second", "other")
            .build();

    assertThat(TaskNativeMemory.boundOf(with(with(twice, "one", 10), "other", 20))).isEqualTo(30);
  }

  private static IRDag with(IRDag dag, String vertex, long bytes) {
    return dag.apply(new SetVertexProperty(vertex, new NativeMemory(bytes)));
  }
}
