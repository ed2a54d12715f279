// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/** Why a container has ended before its time, by its exit status. */
final class LostContainer {

  private LostContainer() {}

  /**
   * The cause for people.
   *
   * @param exitStatus of the container's process, or one of {@link ContainerExitStatus}
   * @return empty when the container has ended as it was told to, having nothing to do
   */
  static Optional<String> cause(int exitStatus) {
    return switch (exitStatus) {
      case ContainerExitStatus.SUCCESS, ContainerExitStatus.KILLED_AFTER_APP_COMPLETION ->
          Optional.empty();
      case ContainerExitStatus.INVALID, ContainerExitStatus.KILLED_BY_APPMASTER ->
          Optional.of("stopped by the application master, as a task in it failed or is not needed");
      case ContainerExitStatus.ABORTED ->
          Optional.of("its node is lost, or YARN has taken it back");
      case ContainerExitStatus.DISKS_FAILED -> Optional.of("disks of its node have failed");
      case ContainerExitStatus.PREEMPTED -> Optional.of("preempted by YARN");
      case ContainerExitStatus.KILLED_EXCEEDED_PMEM, ContainerExitStatus.KILLED_EXCEEDED_VMEM ->
          Optional.of("killed by YARN, as it had more memory in use than it was given");
      default -> Optional.of("its process has ended with exit status " + exitStatus);
    };
  }
}
