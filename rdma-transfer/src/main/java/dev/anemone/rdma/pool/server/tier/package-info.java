// SPDX-License-Identifier: Apache-2.0
/** What the pages of a pool's server are made of: memory, persistent memory, files. */
package dev.anemone.rdma.pool.server.tier;
