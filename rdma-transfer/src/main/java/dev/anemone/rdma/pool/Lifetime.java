// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

/** How long a committed object stays. */
public enum Lifetime {
  /** Until it is deleted, or the lease of the client that wrote it is over. */
  LEASE,
  /** Until it is deleted. */
  POOL
}
