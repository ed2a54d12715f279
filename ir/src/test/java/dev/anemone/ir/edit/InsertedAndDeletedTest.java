// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.check.IRDagChecker;
import dev.anemone.ir.testing.ArbitraryDags;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

class InsertedAndDeletedTest {

  @Provide
  Arbitrary<IRDag> edited() {
    return ArbitraryDags.edited();
  }

  /** The graph before its edits, found by taking the edits off again, the last one first. */
  @Property
  void deletingInReverseOrderGivesTheGraphFromBefore(@ForAll("edited") IRDag dag) {
    IRDag first = dag;
    Deque<IRDag> states = new ArrayDeque<>();
    List<DagEdit> edits = dag.edits();
    for (int last = edits.size() - 1; last >= 0; last--) {
      DagEdit edit = edits.get(last);
      Statistics.collect(edit.getClass().getSimpleName());
      states.push(first);
      first = new DeleteInserted(insertedBy(edit)).applyTo(first);
    }
    IRDag again = first;
    for (DagEdit edit : edits) {
      assertThat(again.vertices()).noneMatch(v -> v.id().equals(insertedBy(edit)));
      again = again.apply(edit);
      assertThat(again).isEqualTo(states.pop());
      assertThat(new DeleteInserted(insertedBy(edit)).applyTo(again))
          .isEqualTo(withoutLast(first, again.edits()));
    }
    assertThat(again).isEqualTo(dag);
    assertThat(first.vertices()).allMatch(vertex -> vertex.insertedBy().isEmpty());
  }

  @Property
  void anyVertexOfAnInsertionStandsForAllOfIt(@ForAll("edited") IRDag dag) {
    if (dag.edits().isEmpty()) {
      return;
    }
    IRDag before = withoutLast(base(dag), dag.edits());
    Set<String> inserted = new HashSet<>();
    dag.vertices().forEach(vertex -> inserted.add(vertex.id()));
    before.vertices().forEach(vertex -> inserted.remove(vertex.id()));
    assertThat(inserted).isNotEmpty();
    for (String id : inserted) {
      assertThat(new DeleteInserted(id).applyTo(dag)).isEqualTo(before);
    }
  }

  @Property
  void noEditBreaksARule(@ForAll("edited") IRDag dag) {
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
  }

  private static IRDag base(IRDag dag) {
    IRDag first = dag;
    for (int last = dag.edits().size() - 1; last >= 0; last--) {
      first = new DeleteInserted(insertedBy(dag.edits().get(last))).applyTo(first);
    }
    return first;
  }

  private static IRDag withoutLast(IRDag base, List<DagEdit> edits) {
    IRDag dag = base;
    for (DagEdit edit : edits.subList(0, edits.size() - 1)) {
      dag = dag.apply(edit);
    }
    return dag;
  }

  private static String insertedBy(DagEdit edit) {
    if (edit instanceof InsertRelay relay) {
      return relay.relayId();
    }
    if (edit instanceof InsertCombiner combiner) {
      return combiner.vertexId() + "-combiner-0";
    }
    if (edit instanceof InsertRecombiner recombiner) {
      return recombiner.vertexId() + "-recombiner";
    }
    return ((InsertSampling) edit).messageId() + "-aggregation";
  }
}
