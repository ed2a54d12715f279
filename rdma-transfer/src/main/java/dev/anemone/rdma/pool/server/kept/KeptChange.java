// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.kept;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.protocol.StoredObject;

/** An entry of the log of kept objects. */
sealed interface KeptChange {

  /** An object is there. */
  record Put(StoredObject object) implements KeptChange {}

  /** An object has been deleted. */
  record Remove(ObjectId id) implements KeptChange {}
}
