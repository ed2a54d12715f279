// SPDX-License-Identifier: Apache-2.0
/** The client of the remote memory pool. */
package dev.anemone.rdma.pool.client;
