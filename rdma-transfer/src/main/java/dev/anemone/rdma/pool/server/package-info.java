// SPDX-License-Identifier: Apache-2.0
/** The server of the remote memory pool: memory in tiers, the name service, leases. */
package dev.anemone.rdma.pool.server;
