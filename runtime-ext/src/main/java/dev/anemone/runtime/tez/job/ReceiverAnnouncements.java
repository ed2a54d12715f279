// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.util.List;

/**
 * What a vertex manager tells all tasks of a stage that pushes.
 *
 * @param receivers news since it has told them last
 */
public record ReceiverAnnouncements(List<ReceiverAnnouncement> receivers) {

  public ReceiverAnnouncements {
    receivers = List.copyOf(receivers);
  }
}
