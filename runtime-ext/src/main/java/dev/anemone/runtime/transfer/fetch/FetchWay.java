// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

/** How a block came from its node. */
public enum FetchWay {
  /** From the node's shuffle handler. */
  HTTP,
  /** By one-sided reads, from an executor of the node. */
  TRANSPORT
}
