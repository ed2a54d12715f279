// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneToOneEdgeManagerTest {

  @Test
  void onlyTheTaskOfTheSameIndexLearnsOfData() {
    OneToOneEdgeManager manager = new OneToOneEdgeManager(null);
    assertThat(manager.routeDataMovementEventToDestination(3, 0, 3).getTargetIndices())
        .containsExactly(0);
    assertThat(manager.routeDataMovementEventToDestination(3, 0, 2)).isNull();
  }

  @Test
  void onlyTheTaskOfTheSameIndexLearnsOfAWithdrawal() {
    OneToOneEdgeManager manager = new OneToOneEdgeManager(null);
    assertThat(manager.routeInputSourceTaskFailedEventToDestination(3, 3).getTargetIndices())
        .containsExactly(0);
    assertThat(manager.routeInputSourceTaskFailedEventToDestination(3, 2)).isNull();
  }
}
