// SPDX-License-Identifier: Apache-2.0
/**
 * What pool servers and clients say to each other: messages, their coding, calls, the hash ring.
 */
package dev.anemone.rdma.pool.protocol;
