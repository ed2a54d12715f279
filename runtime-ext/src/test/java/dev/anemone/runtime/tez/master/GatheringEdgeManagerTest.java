// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.tez.dag.api.EdgeManagerPluginContext;
import org.apache.tez.dag.api.UserPayload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GatheringEdgeManagerTest {

  private static final String JOB = "gathering";

  private final GatheringEdgeManager manager = new GatheringEdgeManager(new Context());

  /** An edge between 5 and 3 tasks. */
  private static final class Context implements EdgeManagerPluginContext {

    @Override
    public UserPayload getUserPayload() {
      return GatheringEdgeManager.descriptor(JOB).getUserPayload();
    }

    @Override
    public String getSourceVertexName() {
      return "read";
    }

    @Override
    public String getDestinationVertexName() {
      return "sum";
    }

    @Override
    public int getSourceVertexNumTasks() {
      return 5;
    }

    @Override
    public int getDestinationVertexNumTasks() {
      return 3;
    }

    @Override
    public String getVertexGroupName() {
      return null;
    }
  }

  @BeforeEach
  void open() {
    JobMaster.open(JOB, getClass().getClassLoader(), consumed -> {});
    manager.initialize();
  }

  @AfterEach
  void forget() {
    JobMaster.forget(JOB);
  }

  private void gather() {
    JobMaster.of(JOB).gatheredLinks().add("read", "sum");
  }

  @Test
  void whereNobodyGathersEveryTaskIsToldOfEveryProducer() {
    JobMaster.of(JOB).gatheredLinks().add("other", "sum");
    assertThat(manager.routeDataMovementEventToDestination(4, 0, 2).getTargetIndices())
        .containsExactly(4);
    assertThat(manager.getNumDestinationTaskPhysicalInputs(2)).isEqualTo(5);
    assertThat(manager.getNumDestinationConsumerTasks(4)).isEqualTo(3);
    assertThat(manager.routeInputErrorEventToSource(2, 4)).isEqualTo(4);
  }

  @Test
  void whatIsGatheredIsNotRouted() {
    gather();
    assertThat(manager.routeDataMovementEventToDestination(4, 0, 2)).isNull();
    assertThat(manager.routeCompositeDataMovementEventToDestination(4, 2)).isNull();
  }

  @Test
  void whatIsMadeAgainIsRouted() {
    gather();
    assertThat(manager.routeInputSourceTaskFailedEventToDestination(4, 2).getTargetIndices())
        .containsExactly(4);
    assertThat(manager.routeDataMovementEventToDestination(4, 0, 2).getTargetIndices())
        .containsExactly(4);
    assertThat(manager.routeDataMovementEventToDestination(3, 0, 2)).isNull();
  }

  @Test
  void tasksMayAskWhenTheJobHasEnded() {
    gather();
    JobMaster.forget(JOB);
    assertThat(manager.routeDataMovementEventToDestination(4, 0, 2)).isNull();
  }
}
