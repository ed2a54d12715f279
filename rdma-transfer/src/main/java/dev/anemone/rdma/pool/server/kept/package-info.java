// SPDX-License-Identifier: Apache-2.0
/** What a pool's server keeps of its objects in persistent memory over a restart. */
package dev.anemone.rdma.pool.server.kept;
