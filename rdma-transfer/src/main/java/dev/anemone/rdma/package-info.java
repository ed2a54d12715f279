// SPDX-License-Identifier: Apache-2.0
/**
 * Transports, the remote memory pool, and persistent memory: shuffle data, spills and
 * materialised results in memory that other machines read and write directly. Knows nothing of the
 * IR or of the runner.
 */
package dev.anemone.rdma;
