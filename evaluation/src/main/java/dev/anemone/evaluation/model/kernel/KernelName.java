// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

/** The kernels that are compared. */
public enum KernelName {
  /** The one of this project. */
  ANEMONE("Anemone"),
  /** {@code OrderedPartitionedKVOutput} and {@code OrderedGroupedKVInput}. */
  TEZ("Tez");

  private final String label;

  KernelName(String label) {
    this.label = label;
  }

  /** For tables. */
  String label() {
    return label;
  }

  ShuffleKernel create(long memoryBytes) {
    return switch (this) {
      case ANEMONE -> new AnemoneKernel(memoryBytes);
      case TEZ -> new TezKernel();
    };
  }
}
