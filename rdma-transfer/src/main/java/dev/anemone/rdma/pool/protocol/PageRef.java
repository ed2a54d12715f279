// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.TierKind;

/**
 * A page of an object, and how to know that it still is that.
 *
 * @param server number of the server in the pool's order
 * @param incarnation of that server
 * @param number of the page on that server
 * @param generation how often the page was freed before
 * @param length bytes of the object that it holds, from its start
 * @param checksum CRC32C of these
 */
public record PageRef(
    int server,
    long incarnation,
    TierKind tier,
    int number,
    long generation,
    int length,
    int checksum) {}
