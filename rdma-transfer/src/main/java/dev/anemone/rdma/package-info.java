// SPDX-License-Identifier: Apache-2.0
/**
 * The registered buffer pool, the transports and the remote memory pool: shuffle data, spills and
 * materialised results in memory that other machines read and write directly. Knows nothing of the
 * IR or of the runner.
 */
package dev.anemone.rdma;
